class Tshelm < Formula
  desc "Helm-compatible deploy tool for Kubernetes"
  homepage "@HOME@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@DOWNLOADS@/tshelm-v@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256 darwin-arm64@"
    end
    on_intel do
      url "@DOWNLOADS@/tshelm-v@VERSION@-darwin-amd64.tar.gz"
      sha256 "@SHA256 darwin-amd64@"
    end
  end
  on_linux do
    on_arm do
      url "@DOWNLOADS@/tshelm-v@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256 linux-arm64@"
    end
    on_intel do
      url "@DOWNLOADS@/tshelm-v@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256 linux-amd64@"
    end
  end

  def install
    bin.install "tshelm"
    man1.install Dir["man/man1/*.1.gz"]
    bash_completion.install "completions/tshelm.bash" => "tshelm"
    zsh_completion.install "completions/_tshelm"
    fish_completion.install "completions/tshelm.fish"
  end

  test do
    system bin/"tshelm", "create", "shop"
    assert_match "kind: Deployment", shell_output("#{bin}/tshelm template demo shop")
  end
end
