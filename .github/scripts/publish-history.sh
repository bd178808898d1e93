#!/usr/bin/env bash
# Adds a run to the history branch: `publish-history.sh RUN_FOLDER`. The aggregate and the rows of trials.csv are kept as
# runs/<run>.json and runs/<run>.csv. Nothing that is there is ever changed; of several writers each gets its turn.
#   HISTORY_REMOTE  address of the repository; git itself is set up to push to it
#   HISTORY_BRANCH  made without a parent when it does not exist
set -euo pipefail
# git's words are read below
export LC_ALL=C
folder=$1
run=$(jq -er .run "$folder/aggregate.json")
case $run in
  *[!A-Za-z0-9.-]* | '' | .*)
    echo "publish-history.sh: no run's name: $run" >&2
    exit 1
    ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init --quiet "$work"
cd "$work"
git config user.name 'github-actions[bot]'
git config user.email '41898282+github-actions[bot]@users.noreply.github.com'
cd - >/dev/null

for attempt in 1 2 3 4 5; do
  if git -C "$work" fetch --quiet --depth 1 "$HISTORY_REMOTE" "refs/heads/$HISTORY_BRANCH" 2>"$work/.git/fetch-error"; then
    git -C "$work" checkout --quiet --force -B "$HISTORY_BRANCH" FETCH_HEAD
  elif grep -q "couldn't find remote ref" "$work/.git/fetch-error"; then
    git -C "$work" checkout --quiet --orphan "$HISTORY_BRANCH" 2>/dev/null || true
  else
    cat "$work/.git/fetch-error" >&2
    exit 1
  fi
  mkdir -p "$work/runs"
  cp "$folder/aggregate.json" "$work/runs/$run.json"
  cp "$folder/trials.csv" "$work/runs/$run.csv"
  git -C "$work" add runs
  if git -C "$work" diff --cached --quiet; then
    echo "run $run is there already"
    exit 0
  fi
  git -C "$work" commit --quiet --message "Run $run"
  if git -C "$work" push --quiet "$HISTORY_REMOTE" "HEAD:refs/heads/$HISTORY_BRANCH" 2>/dev/null; then
    echo "run $run is on $HISTORY_BRANCH"
    exit 0
  fi
  # another writer was first: wait for less than a second more each time
  sleep "$((attempt - 1)).$((RANDOM % 10))"
done
echo "publish-history.sh: $HISTORY_BRANCH could not be pushed to in 5 attempts" >&2
exit 1
