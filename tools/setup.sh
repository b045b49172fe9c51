# Read by the root commands with $root set to the checkout: brings in what they need and nothing twice.
# POSIX sh. Every function works from any current folder and leaves it as it was.

venv=$root/.venv

say() {
    printf 'tablier: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# The command prefix that makes apt-get work here: nothing for root, sudo for others.
root_prefix() {
    if [ "$(id -u)" -eq 0 ]; then
        return 0
    fi
    command -v sudo >/dev/null 2>&1 || return 1
    if [ -t 2 ] || sudo -n true 2>/dev/null; then
        echo sudo
        return 0
    fi
    return 1
}

# Mirrors are sometimes in the middle of an update and other programs hold apt's lock: try again, later each time.
apt_install() {
    command -v apt-get >/dev/null 2>&1 || die "please install $* (this system has no apt-get), then run this again"
    prefix=$(root_prefix) || die "please run as root: apt-get install $* (no root and no sudo here), then run this again"
    for pause in 5 15 30 60 0; do
        say "installing $* with apt-get"
        $prefix apt-get -q -o DPkg::Lock::Timeout=120 update </dev/null >&2 || true
        if $prefix env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
            -o DPkg::Lock::Timeout=120 install "$@" </dev/null >&2; then
            return 0
        fi
        [ "$pause" -eq 0 ] && break
        say "apt-get did not succeed; trying again in $pause s"
        sleep "$pause"
    done
    die "apt-get could not install $*; its messages above say why"
}

# Prints the command of a Python whose version satisfies the given test, the system's own first.
python_where() {
    for candidate in python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c "import sys; sys.exit(not ($1))" >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# 3.11 to 3.13 are the tried ones; a newer one is better than none.
find_python() {
    python_where '(3, 11) <= sys.version_info < (3, 14)' || python_where 'sys.version_info >= (3, 11)'
}

# Debian keeps what makes virtual environments in a package of its own.
require_python() {
    if ! python=$(find_python); then
        apt_install python3 python3-venv
        python=$(find_python) || die "Python 3.11 or newer is needed (Debian 12, Raspberry Pi OS 12 or newer have it)"
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        apt_install "$python-venv"
    fi
}

venv_works() {
    "$venv/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# A moved checkout leaves commands behind that point to the old place.
venv_moved() {
    [ -f "$venv/.tablier-root" ] && [ "$(cat "$venv/.tablier-root")" != "$root" ]
}

make_venv() {
    if venv_works && ! venv_moved; then
        return 0
    fi
    require_python
    say "making a virtual environment in .venv with $("$python" --version)"
    "$python" -m venv --clear "$venv" || die "could not make $venv with $python -m venv"
    printf '%s\n' "$root" >"$venv/.tablier-root"
}

fingerprint() {
    (cd "$root" && cksum "$@")
}

# stamped FILE TEXT: whether the stamp FILE holds TEXT.
stamped() {
    [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]
}

pip_install() {
    "$venv/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --retries 8 "$@"
}

# install_locked run|dev: the locked packages of that list, each checked against its hash, and the project itself.
# Not isolated: what builds the project is in the lock too, and must be that.
install_locked() {
    make_venv
    want=$(fingerprint "requirements/$1.lock" pyproject.toml)
    if stamped "$venv/.tablier-$1" "$want"; then
        return 0
    fi
    say "installing the locked Python packages of requirements/$1.lock"
    pip_install --require-hashes -r "$root/requirements/$1.lock" || die "pip could not install requirements/$1.lock"
    pip_install --no-deps --no-build-isolation --editable "$root" || die "pip could not install the project itself"
    printf '%s\n' "$want" >"$venv/.tablier-$1"
}

# The run list is a part of the dev list: an environment with the one serves the other.
install_for_running() {
    if venv_works && ! venv_moved \
        && stamped "$venv/.tablier-dev" "$(fingerprint requirements/dev.lock pyproject.toml)"; then
        return 0
    fi
    install_locked run
}

# Node and the programs for the browser tests have builds for these processors only.
require_desktop_processor() {
    "$venv/bin/python" -c 'import platform, sys
sys.exit(not (sys.maxsize > 2**32 and platform.machine() in ("x86_64", "aarch64", "arm64", "AMD64")))' \
        || die "the tests need a 64-bit system (x86_64 or aarch64); the board itself runs here: sh simulate.sh"
}

find_chromium() {
    for browser in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$browser" >/dev/null 2>&1 && return 0
    done
    return 1
}

# Playwright brings a Node of its own, which leans on a library that a fresh Debian does not have.
playwright_works() {
    "$venv/bin/python" -c 'import pathlib, playwright, subprocess, sys
node = pathlib.Path(playwright.__file__).parent / "driver/node"
sys.exit(subprocess.run([node, "--version"], capture_output=True).returncode)' >/dev/null 2>&1
}

require_browser() {
    missing=
    find_chromium || missing="chromium fonts-dejavu-core"
    playwright_works || missing="$missing libatomic1"
    [ -z "$missing" ] || apt_install $missing
}

# The linters of the page, from the Node that the Python packages brought.
install_page_tools() {
    stamp=$root/node_modules/.tablier
    want=$(fingerprint package.json package-lock.json)
    if stamped "$stamp" "$want"; then
        return 0
    fi
    say "installing the locked page tools of package-lock.json"
    sh "$root/tools/npm.sh" ci --loglevel=error >&2 || die "npm could not install package-lock.json"
    printf '%s\n' "$want" >"$stamp"
}
