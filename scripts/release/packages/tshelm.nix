# nix-build -E '(import <nixpkgs> {}).callPackage ./tshelm.nix {}'
{
  lib,
  stdenvNoCC,
  fetchurl,
  installShellFiles,
  makeWrapper,
  nodejs,
}:

stdenvNoCC.mkDerivation {
  pname = "tshelm";
  version = "@VERSION@";

  # The npm package: it needs no other, and Node is patched already.
  src = fetchurl {
    url = "@DOWNLOADS@/tshelm-@VERSION@.tgz";
    sha256 = "@SHA256 npm@";
  };

  nativeBuildInputs = [
    installShellFiles
    makeWrapper
  ];

  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib/tshelm
    cp -r bin dist package.json $out/lib/tshelm
    makeWrapper ${lib.getExe nodejs} $out/bin/tshelm --add-flags $out/lib/tshelm/dist/launch.js
    installManPage dist/man/*.1.gz
    for shell in bash zsh fish; do
      installShellCompletion --cmd tshelm --$shell <($out/bin/tshelm completion $shell)
    done
    runHook postInstall
  '';

  meta = {
    description = "Helm-compatible deploy tool for Kubernetes";
    homepage = "@HOME@";
    license = lib.licenses.asl20;
    mainProgram = "tshelm";
  };
}
