// etcd, the store of the control plane that the end-to-end tests run against.
//
// It is a module of its own because its dependencies and those of Kubernetes
// do not agree on one set of versions.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
