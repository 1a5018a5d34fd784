import { completionTree, type CompletionFlag, type CompletionNode } from './completion-tree.ts';

/** Everything is in the script: completing starts no program. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish'): string {
  const tree = completionTree();
  if (shell === 'fish') return fishScript(tree);
  return shell === 'bash' ? bashScript(tree) : zshScript(tree);
}

/** The words of the command so far, without flags and their values. Bash and zsh alike. */
const readPath = (words: string, from: string, current: string) => `  local so_far="" word="" skip=0 i
  for ((i = ${from}; i < ${current}; i++)); do
    word="\${${words}[i]}"
    if ((skip)); then skip=0; continue; fi
    case "$word" in
      --org | --api-url | --env) skip=1 ;;
      -*) ;;
      *) so_far="\${so_far:+$so_far }$word" ;;
    esac
  done`;

function bashScript(tree: readonly CompletionNode[]): string {
  return `# lilac completion for bash
${casesFor(tree, bashNext)}
_lilac() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
${readPath('COMP_WORDS', '1', 'COMP_CWORD')}
  COMPREPLY=($(compgen -W "$(_lilac_after "$so_far" "$previous" "$current")" -- "$current"))
}
complete -o default -F _lilac lilac
`;
}

const bashNext = ({ next }: CompletionNode) => `echo ${quote(next.map(({ word }) => word).join(' '))}`;

/** One function that tells what may come: values of the flag before, flags, or words. */
function casesFor(tree: readonly CompletionNode[], nextOf: (node: CompletionNode) => string): string {
  const longestFirst = tree.toSorted((a, b) => b.path.length - a.path.length);
  const values = longestFirst.flatMap((node) =>
    node.flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => `    ${pattern(node, name)}) echo ${quote(choices.join(' '))}; return ;;`),
  );
  const flags = longestFirst
    .filter((node) => node.flags.length > 0)
    .map((node) => `      ${pattern(node)}) echo ${quote(node.flags.map(({ name }) => name).join(' '))} ;;`);
  const words = longestFirst
    .filter(({ next }) => next.length > 0)
    .map((node) => `    ${quote(node.path)}) ${nextOf(node)} ;;`);
  return `_lilac_after() {
  case "$1 $2" in
${values.join('\n')}
  esac
  case "$3" in
    -*) case "$1 " in
${flags.join('\n')}
      *) echo "--help --version" ;;
    esac; return ;;
  esac
  case "$1" in
${words.join('\n')}
  esac
}
`;
}

/** `envs scale` and whatever follows it; with a flag at the end. */
const pattern = ({ path }: CompletionNode, flag?: string) =>
  flag === undefined ? `${quote(`${path} `)}*` : `${quote(path)}" ${flag}" | ${quote(`${path} `)}*" ${flag}"`;

function zshScript(tree: readonly CompletionNode[]): string {
  return `#compdef lilac
# lilac completion for zsh
${casesFor(tree, zshNext)}
_lilac() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT - 1]}"
${readPath('words', '2', 'CURRENT')}
  local found="$(_lilac_after "$so_far" "$previous" "$current")"
  local -a lines=("\${(@f)found}")
  if [[ -z "$found" ]]; then _files
  elif [[ "$found" == *:* ]]; then _describe lilac lines
  else compadd -- \${=found}
  fi
}
if [[ "\${funcstack[1]}" = "_lilac" ]]; then _lilac "$@"; else compdef _lilac lilac; fi
`;
}

/** A line for each: the word, a colon, what it is. */
const zshNext = ({ next }: CompletionNode) =>
  `printf '%s\\n' ${next.map(({ word, description }) => quote(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ')}`;

function fishScript(tree: readonly CompletionNode[]): string {
  const lines = tree.flatMap(({ path, next, flags }) => [
    ...next.map(
      ({ word, description }) =>
        `complete -c lilac -f -n ${quote(`__lilac_at ${quote(path)}`)} -a ${quote(word)} -d ${quote(description)}`,
    ),
    ...flags.map((flag) => fishFlag(path, flag)),
  ]);
  return `# lilac completion for fish
function __lilac_path
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $word --org --api-url --env
      set skip 1
    else if not string match -q -- '-*' $word
      echo $word
    end
  end
end
function __lilac_at
  set -l so_far (__lilac_path | string join ' ')
  test "$so_far" = "$argv[1]"
end
function __lilac_under
  set -l so_far (__lilac_path | string join ' ')
  string match -q -- "$argv[1] *" "$so_far "
end
${lines.join('\n')}
`;
}

function fishFlag(path: string, { name, takesValue, choices, description }: CompletionFlag): string {
  const value = takesValue ? ` -x${choices.length > 0 ? ` -a ${quote(choices.join(' '))}` : ''}` : '';
  const under = `__lilac_under ${quote(path)}`;
  return `complete -c lilac -n ${quote(under)} -l ${name.slice(2)}${value} -d ${quote(description)}`;
}

/** For a shell to take as it is. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
