# shellcheck shell=bash
# Parts in the cache. A product FILE counts only with its stamp, .NAME.from beside it, which says what it was built
# from; it is written to FILE.new and moved, and its stamp is written last. A run killed anywhere leaves no stamp,
# or a stamp for something else, and the product is built again.
. "${BASH_SOURCE[0]%/*}/log.sh"

stamp_of() { echo "${1%/*}/.${1##*/}.from"; }

# is_built FILE FROM: FILE is whole and was built from FROM
is_built() { [ -s "$1" ] && [ "$(cat "$(stamp_of "$1")" 2> /dev/null)" = "$2" ]; }

# keep_product FILE FROM: FILE.new is whole; makes it FILE
keep_product() {
  local stamp; stamp=$(stamp_of "$1")
  rm -f "$stamp" # an old stamp must not vouch for a new file
  mv -f "$1.new" "$1"
  echo "$2" > "$stamp.new"
  mv -f "$stamp.new" "$stamp"
}
