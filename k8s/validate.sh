#!/bin/sh
# Renders the overlays, alone and with their components, and the example engines, and validates the resources.
#   k8s/validate.sh [--install] [--schemas DIRECTORY|default]…
#     --install   first installs the tools into target/k8s/bin with Go, in the versions below
#     --schemas   JSON schemas of resources, in files KIND-GROUP-VERSION.json; repeat it for several directories. `default` are
#                 those of Kubernetes's own resources, which kubeconform downloads. Without this option, custom resources are
#                 not validated; with it, every resource must have a schema.
# kustomize is required; kubeconform and kube-score are used if they are installed.
set -eu

kustomize_version=v5.8.1
kubeconform_version=v0.8.0
kube_score_version=v1.20.0
kubernetes_version=1.34

# What also suits an overlay with a single pod. All components suit overlays/prod.
dev_components='console jmx token'

fail() {
    printf 'validate.sh: %s\n' "$1" >&2
    exit 2
}

install_tools() {
    command -v go >/dev/null || fail 'Go is missing, which --install requires'
    for tool in "sigs.k8s.io/kustomize/kustomize/v5@$kustomize_version" \
        "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform_version" \
        "github.com/zegl/kube-score/cmd/kube-score@$kube_score_version"; do
        GOBIN=$target/bin go install "$tool"
    done
}

# Prints the schema location of kubeconform for a value of --schemas.
location() {
    if [ "$1" = default ]; then
        printf default
    else
        [ -d "$1" ] || fail "$1 is not a directory"
        printf '%s/{{.ResourceKind}}{{.KindSuffix}}.json' "$(cd "$1" && pwd)"
    fi
}

# Renders a directory with components to $target/NAME.yaml.
#   render NAME DIRECTORY [COMPONENT…]
render() {
    name=$1
    mkdir -p "$target/$name"
    {
        printf 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: silkroute\n'
        printf 'resources: [../../../k8s/%s]\ncomponents:\n' "$2"
        shift 2
        for component; do
            printf '  - ../../../k8s/%s\n' "$component"
        done
    } >"$target/$name/kustomization.yaml"
    kustomize build "$target/$name" >"$target/$name.yaml" || failed=1
    rendered="$rendered $name"
}

root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
target=$root/target/k8s
PATH=$target/bin:$PATH
locations=
while [ $# -gt 0 ]; do
    case $1 in
        --install) install_tools ;;
        --schemas)
            [ $# -gt 1 ] || fail '--schemas requires a directory'
            locations="$locations
$(location "$2")"
            shift
            ;;
        *) fail "'$1' is not an option" ;;
    esac
    shift
done
command -v kustomize >/dev/null || fail 'kustomize is missing: use --install'
cd "$root/k8s"

failed=0
rendered=
render engines engines
render dev overlays/dev
for component in $dev_components; do
    render "dev-$component" overlays/dev "components/$component"
done
render prod overlays/prod
all=monitoring
for component in components/*; do
    render "prod-${component#*/}" overlays/prod "$component"
    all="$all $component"
done
# shellcheck disable=SC2086 # words
render prod-all overlays/prod $all

set -- -strict -summary -kubernetes-version "$kubernetes_version.0"
if [ -z "$locations" ]; then
    set -- "$@" -ignore-missing-schemas
fi
while IFS= read -r place; do
    [ -z "$place" ] || set -- "$@" -schema-location "$place"
done <<EOF
$locations
EOF
for name in $rendered; do
    printf '%s: %s resources\n' "$name" "$(grep -c '^kind:' "$target/$name.yaml")"
    if command -v kubeconform >/dev/null; then
        kubeconform "$@" "$target/$name.yaml" || failed=1
    fi
    if command -v kube-score >/dev/null; then
        kube-score score --kubernetes-version "v$kubernetes_version" --output-format ci "$target/$name.yaml" \
            >"$target/$name.score" || failed=1
        sed -n '/^\[CRITICAL\]/p' "$target/$name.score"
    fi
done
exit "$failed"
