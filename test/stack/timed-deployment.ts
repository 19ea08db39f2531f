/** The template of a Deployment with the release's name. `annotations` of its pods, a flow map or an action, say when it is ready. */
export const timedDeployment = (annotations: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata:
      labels: {app: "{{ .Release.Name }}"}
      annotations: ${annotations}
    spec: {containers: [{name: main, image: example.com/main:1}]}
`;
