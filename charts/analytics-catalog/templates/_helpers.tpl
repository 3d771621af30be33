{{/* The prefix of all names; the operator's guard check is given the same. */}}
{{- define "analytics-catalog.fullname" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "analytics-catalog.serviceAccount" -}}
{{- default (include "analytics-catalog.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{/* The operator as the API server names it. */}}
{{- define "analytics-catalog.operatorUser" -}}
system:serviceaccount:{{ .Release.Namespace }}:{{ include "analytics-catalog.serviceAccount" . }}
{{- end -}}

{{/* A list literal of CEL; the values schema keeps quotes out. */}}
{{- define "analytics-catalog.approvingServiceAccounts" -}}
{{- $quoted := list -}}
{{- range .Values.guards.approvingServiceAccounts -}}
{{- $quoted = append $quoted (printf "'%s'" .) -}}
{{- end -}}
[{{ join ", " $quoted }}]
{{- end -}}

{{- define "analytics-catalog.selector" -}}
app.kubernetes.io/name: analytics-catalog
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "analytics-catalog.labels" -}}
{{ include "analytics-catalog.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The namespaces of the operator's rights; empty for all. */}}
{{- define "analytics-catalog.watchNamespaces" -}}
{{- if .Values.watchNamespaces -}}
{{- append .Values.watchNamespaces .Release.Namespace | uniq | sortAlpha | join "," -}}
{{- end -}}
{{- end -}}

{{/* The configuration file: the values', the port that the probes ask, and what the guards and rights were filled in
     with, so that the operator knows which ones to expect. */}}
{{- define "analytics-catalog.configuration" -}}
{{- $guards := dict
  "release" (include "analytics-catalog.fullname" .)
  "serviceAccount" (include "analytics-catalog.serviceAccount" .)
  "approvingServiceAccounts" .Values.guards.approvingServiceAccounts -}}
{{- $admin := dict "adminListen" (printf "0.0.0.0:%d" (int .Values.operator.adminPort)) -}}
{{- $own := dict "guards" $guards "serve" $admin -}}
{{- with include "analytics-catalog.watchNamespaces" . -}}
{{- $_ := set $own "watchNamespaces" (splitList "," .) -}}
{{- end -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.operator.config) $own) -}}
{{- end -}}
