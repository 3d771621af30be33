// One program for the control plane that the end-to-end tests run against.
//
// kube-apiserver, kube-controller-manager, kube-scheduler and kubectl share
// nearly all of their code, so one binary that looks at the name it was called
// by is a third of the size and of the build time of four.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

const keyBits = 2048

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(manager.NewControllerManagerCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "kubectl":
		// kubectl words its own errors, the other programs leave it to cli.
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			util.CheckErr(err)
		}
	case "service-account-keys":
		if len(os.Args) != 2 {
			fail("usage: service-account-keys FOLDER")
		}
		if err := writeServiceAccountKeys(os.Args[1]); err != nil {
			fail(err.Error())
		}
	default:
		fail(fmt.Sprintf("called as %q: call it through a link named kube-apiserver, "+
			"kube-controller-manager, kube-scheduler, kubectl or service-account-keys", name))
	}
}

// writeServiceAccountKeys writes the key pair that signs service account
// tokens, sa.key and sa.pub, so that the tests need no openssl.
func writeServiceAccountKeys(folder string) error {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	private := x509.MarshalPKCS1PrivateKey(key)
	if err := writePem(filepath.Join(folder, "sa.key"), "RSA PRIVATE KEY", private); err != nil {
		return err
	}
	return writePem(filepath.Join(folder, "sa.pub"), "PUBLIC KEY", public)
}

func writePem(path, kind string, content []byte) error {
	block := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	return os.WriteFile(path, block, 0o600)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}
