/**
 * The built-in kinds as Kubernetes v1.36 serves them, in discovery's order:
 * group, version, plural, kind, scope, verbs, short names, categories, subresources. `-` is "none" (or the core group);
 * `all` is every verb, `no-deletecollection` every verb but that one.
 */
export const kindTable = `
-                            v1 bindings                          Binding                          Namespaced create              -        -              -
-                            v1 componentstatuses                 ComponentStatus                  Cluster    get,list            cs       -              -
-                            v1 configmaps                        ConfigMap                        Namespaced all                 cm       -              -
-                            v1 endpoints                         Endpoints                        Namespaced all                 ep       -              -
-                            v1 events                            Event                            Namespaced all                 ev       -              -
-                            v1 limitranges                       LimitRange                       Namespaced all                 limits   -              -
-                            v1 namespaces                        Namespace                        Cluster    no-deletecollection ns       -              finalize,status
-                            v1 nodes                             Node                             Cluster    all                 no       -              proxy,status
-                            v1 persistentvolumeclaims            PersistentVolumeClaim            Namespaced all                 pvc      -              status
-                            v1 persistentvolumes                 PersistentVolume                 Cluster    all                 pv       -              status
-                            v1 pods                              Pod                              Namespaced all                 po       all            attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,resize,status
-                            v1 podtemplates                      PodTemplate                      Namespaced all                 -        -              -
-                            v1 replicationcontrollers            ReplicationController            Namespaced all                 rc       all            scale,status
-                            v1 resourcequotas                    ResourceQuota                    Namespaced all                 quota    -              status
-                            v1 secrets                           Secret                           Namespaced all                 -        -              -
-                            v1 serviceaccounts                   ServiceAccount                   Namespaced all                 sa       -              token
-                            v1 services                          Service                          Namespaced all                 svc      all            proxy,status
apiregistration.k8s.io       v1 apiservices                       APIService                       Cluster    all                 -        api-extensions status
apps                         v1 controllerrevisions               ControllerRevision               Namespaced all                 -        -              -
apps                         v1 daemonsets                        DaemonSet                        Namespaced all                 ds       all            status
apps                         v1 deployments                       Deployment                       Namespaced all                 deploy   all            scale,status
apps                         v1 replicasets                       ReplicaSet                       Namespaced all                 rs       all            scale,status
apps                         v1 statefulsets                      StatefulSet                      Namespaced all                 sts      all            scale,status
events.k8s.io                v1 events                            Event                            Namespaced all                 ev       -              -
authentication.k8s.io        v1 selfsubjectreviews                SelfSubjectReview                Cluster    create              -        -              -
authentication.k8s.io        v1 tokenreviews                      TokenReview                      Cluster    create              -        -              -
authorization.k8s.io         v1 localsubjectaccessreviews         LocalSubjectAccessReview         Namespaced create              -        -              -
authorization.k8s.io         v1 selfsubjectaccessreviews          SelfSubjectAccessReview          Cluster    create              -        -              -
authorization.k8s.io         v1 selfsubjectrulesreviews           SelfSubjectRulesReview           Cluster    create              -        -              -
authorization.k8s.io         v1 subjectaccessreviews              SubjectAccessReview              Cluster    create              -        -              -
autoscaling                  v2 horizontalpodautoscalers          HorizontalPodAutoscaler          Namespaced all                 hpa      all            status
autoscaling                  v1 horizontalpodautoscalers          HorizontalPodAutoscaler          Namespaced all                 hpa      all            status
batch                        v1 cronjobs                          CronJob                          Namespaced all                 cj       all            status
batch                        v1 jobs                              Job                              Namespaced all                 -        all            status
certificates.k8s.io          v1 certificatesigningrequests        CertificateSigningRequest        Cluster    all                 csr      -              approval,status
networking.k8s.io            v1 ingressclasses                    IngressClass                     Cluster    all                 -        -              -
networking.k8s.io            v1 ingresses                         Ingress                          Namespaced all                 ing      -              status
networking.k8s.io            v1 ipaddresses                       IPAddress                        Cluster    all                 ip       -              -
networking.k8s.io            v1 networkpolicies                   NetworkPolicy                    Namespaced all                 netpol   -              -
networking.k8s.io            v1 servicecidrs                      ServiceCIDR                      Cluster    all                 -        -              status
policy                       v1 poddisruptionbudgets              PodDisruptionBudget              Namespaced all                 pdb      -              status
rbac.authorization.k8s.io    v1 clusterrolebindings               ClusterRoleBinding               Cluster    all                 -        -              -
rbac.authorization.k8s.io    v1 clusterroles                      ClusterRole                      Cluster    all                 -        -              -
rbac.authorization.k8s.io    v1 rolebindings                      RoleBinding                      Namespaced all                 -        -              -
rbac.authorization.k8s.io    v1 roles                             Role                             Namespaced all                 -        -              -
storage.k8s.io               v1 csidrivers                        CSIDriver                        Cluster    all                 -        -              -
storage.k8s.io               v1 csinodes                          CSINode                          Cluster    all                 -        -              -
storage.k8s.io               v1 csistoragecapacities              CSIStorageCapacity               Namespaced all                 -        -              -
storage.k8s.io               v1 storageclasses                    StorageClass                     Cluster    all                 sc       -              -
storage.k8s.io               v1 volumeattachments                 VolumeAttachment                 Cluster    all                 -        -              status
storage.k8s.io               v1 volumeattributesclasses           VolumeAttributesClass            Cluster    all                 vac      -              -
admissionregistration.k8s.io v1 mutatingadmissionpolicies         MutatingAdmissionPolicy          Cluster    all                 -        api-extensions -
admissionregistration.k8s.io v1 mutatingadmissionpolicybindings   MutatingAdmissionPolicyBinding   Cluster    all                 -        api-extensions -
admissionregistration.k8s.io v1 mutatingwebhookconfigurations     MutatingWebhookConfiguration     Cluster    all                 -        api-extensions -
admissionregistration.k8s.io v1 validatingadmissionpolicies       ValidatingAdmissionPolicy        Cluster    all                 -        api-extensions status
admissionregistration.k8s.io v1 validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding Cluster    all                 -        api-extensions -
admissionregistration.k8s.io v1 validatingwebhookconfigurations   ValidatingWebhookConfiguration   Cluster    all                 -        api-extensions -
apiextensions.k8s.io         v1 customresourcedefinitions         CustomResourceDefinition         Cluster    all                 crd,crds api-extensions status
scheduling.k8s.io            v1 priorityclasses                   PriorityClass                    Cluster    all                 pc       -              -
coordination.k8s.io          v1 leases                            Lease                            Namespaced all                 -        -              -
node.k8s.io                  v1 runtimeclasses                    RuntimeClass                     Cluster    all                 -        -              -
discovery.k8s.io             v1 endpointslices                    EndpointSlice                    Namespaced all                 -        -              -
resource.k8s.io              v1 deviceclasses                     DeviceClass                      Cluster    all                 -        -              -
resource.k8s.io              v1 resourceclaims                    ResourceClaim                    Namespaced all                 -        -              status
resource.k8s.io              v1 resourceclaimtemplates            ResourceClaimTemplate            Namespaced all                 -        -              -
resource.k8s.io              v1 resourceslices                    ResourceSlice                    Cluster    all                 -        -              -
flowcontrol.apiserver.k8s.io v1 flowschemas                       FlowSchema                       Cluster    all                 -        -              status
flowcontrol.apiserver.k8s.io v1 prioritylevelconfigurations       PriorityLevelConfiguration       Cluster    all                 -        -              status
`;
