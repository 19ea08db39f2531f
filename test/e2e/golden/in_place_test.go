package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	shellwords "github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"helm.sh/helm/v4/pkg/release"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
)

// Marks the tests that count: those that have run the program.
const inPlace = "=== in Helm's place"

// Takes the place of Helm's own: the command line is given to the program $GOLDEN_HELM, the releases to the cluster
// of $GOLDEN_KUBECONFIG. Helm's tests then judge what the program printed.
func executeActionCommandStdinC(store *storage.Storage, in *os.File, cmd string) (*cobra.Command, string, error) {
	args, err := shellwords.Parse(cmd)
	if err != nil {
		return nil, "", err
	}
	clients, err := openCluster()
	if err != nil {
		return nil, "", err
	}
	if err := writeReleases(clients, store); err != nil {
		return nil, "", err
	}
	fmt.Println(inPlace)
	program := exec.Command(os.Getenv("GOLDEN_HELM"), args...)
	program.Env = environment()
	var out, failure bytes.Buffer
	program.Stdout, program.Stderr = &out, &failure
	if in != nil {
		program.Stdin = in
	}
	err = program.Run()
	text := masked(out.String() + failure.String())
	if err != nil {
		lines := strings.TrimSpace(strings.TrimPrefix(failure.String(), "Error: "))
		err = errors.New(lines)
	}
	if readErr := readReleases(clients, store); readErr != nil {
		return nil, "", readErr
	}
	return &cobra.Command{}, text, err
}

// Helm's tests stop the clock; what happens now happened then.
var thisYear = regexp.MustCompile(`[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} ` + strconv.Itoa(time.Now().Year()))

// Helm's logger writes past what its tests look at, and so does what tells how far tshelm is.
var logged = regexp.MustCompile(`(?m)^(level=| +[\d.]+m?s  ).*\n`)

// Helm's tests are built without the number and the commit that its releases have.
var patched = regexp.MustCompile(`v4\.3\.1\b(\+g[0-9a-f]{7})?`)

func masked(text string) string {
	text = patched.ReplaceAllString(logged.ReplaceAllString(text, ""), "v4.3")
	return thisYear.ReplaceAllString(text, testTimestamper().Format(time.ANSIC))
}

func environment() []string {
	env := os.Environ()
	for name, value := range settings.EnvVars() {
		if name != "HELM_BIN" && name != "KUBECONFIG" && value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, "KUBECONFIG="+os.Getenv("GOLDEN_KUBECONFIG"), "HELM_DRIVER=secret")
}

func openCluster() (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("GOLDEN_KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 500, 500
	return kubernetes.NewForConfig(config)
}

var everyRecord = metav1.ListOptions{LabelSelector: "owner=helm"}

// The cluster holds the releases of the store, and no others.
func writeReleases(clients *kubernetes.Clientset, store *storage.Storage) error {
	background := context.Background()
	namespaces, err := clients.CoreV1().Namespaces().List(background, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, namespace := range namespaces.Items {
		secrets, err := clients.CoreV1().Secrets(namespace.Name).List(background, everyRecord)
		if err != nil {
			return err
		}
		for _, secret := range secrets.Items {
			if err := clients.CoreV1().Secrets(namespace.Name).Delete(background, secret.Name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	found, err := everyRelease(store)
	if err != nil {
		return err
	}
	for _, one := range found {
		accessor, err := release.NewAccessor(one)
		if err != nil {
			return err
		}
		namespace := accessor.Namespace()
		if namespace == "" {
			namespace = "default"
		}
		_, _ = clients.CoreV1().Namespaces().Create(background,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
		key := "sh.helm.release.v1." + accessor.Name() + ".v" + strconv.Itoa(accessor.Version())
		if err := driver.NewSecrets(clients.CoreV1().Secrets(namespace)).Create(key, one); err != nil {
			return err
		}
	}
	return nil
}

func everyRelease(store *storage.Storage) ([]release.Releaser, error) {
	memory, ok := store.Driver.(*driver.Memory)
	if !ok {
		return store.ListReleases()
	}
	memory.SetNamespace("")
	return memory.List(func(release.Releaser) bool { return true })
}

// What the program did to the releases is in the store then.
func readReleases(clients *kubernetes.Clientset, store *storage.Storage) error {
	if _, ok := store.Driver.(*driver.Memory); !ok {
		return nil
	}
	fresh := driver.NewMemory()
	records, err := driver.NewSecrets(clients.CoreV1().Secrets("")).List(func(release.Releaser) bool { return true })
	if err != nil {
		return err
	}
	for _, one := range records {
		accessor, err := release.NewAccessor(one)
		if err != nil {
			return err
		}
		fresh.SetNamespace(accessor.Namespace())
		if err := fresh.Create("sh.helm.release.v1."+accessor.Name()+".v"+strconv.Itoa(accessor.Version()), one); err != nil {
			return err
		}
	}
	store.Driver = fresh
	fresh.SetNamespace(settings.Namespace())
	return nil
}
