{{- define "<CHARTNAME>.name" -}}
{{- $name := .Chart.Name }}
{{- if not (contains $name .Release.Name) }}{{ $name = printf "%s-%s" .Release.Name $name }}{{ else }}{{ $name = .Release.Name }}{{ end }}
{{- $name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "<CHARTNAME>.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "<CHARTNAME>.labels" -}}
{{ include "<CHARTNAME>.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "<CHARTNAME>.password" -}}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "<CHARTNAME>.name" . }}-database
      key: password
{{- end }}
