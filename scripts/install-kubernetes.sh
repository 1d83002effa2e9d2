#!/usr/bin/env bash
# Builds the API server, the kubelet and kubectl of Kubernetes, which the tests of --place kubernetes start, into
# node_modules/.cache/kubernetes: they come as Go modules, and take five minutes of two processors. Without a Go that
# can build them they are left out, and so are those tests.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD/node_modules/.cache/kubernetes
version=1.36.3
if [ "$(cat "$home/version" 2>/dev/null)" = "$version" ]; then exit 0; fi
if ! command -v go >/dev/null || [ "$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')" -lt 26 ]; then
  echo "Kubernetes is left out: Go 1.26 or newer is needed."
  exit 0
fi
mkdir -p "$home"
cd "$home"
module=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
# A module's own replacements hold only in itself: its staging folders are modules too, under their own versions.
{
  echo "module kubernetes"
  grep -m1 '^go ' "$module/go.mod"
  grep -m1 '^godebug ' "$module/go.mod" || true
  echo "require k8s.io/kubernetes v$version"
  sed -n "s#^[[:space:]]*\(k8s.io/[a-z-]*\) => ./staging.*#replace \1 => \1 v0.${version#1.}#p" "$module/go.mod"
} > go.mod
# Never compiled: it names what is needed.
{
  printf '//go:build tools\n\npackage kubernetes\n'
  for command in kube-apiserver kubelet kubectl; do echo "import _ \"k8s.io/kubernetes/cmd/$command\""; done
} > commands.go
go mod tidy 2>/dev/null
flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
go build -ldflags "$flags" -o . k8s.io/kubernetes/cmd/{kube-apiserver,kubelet,kubectl}
echo "$version" > version
