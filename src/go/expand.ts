/**
 * os.Expand: `$NAME`, `${NAME}`, and the shell's `$@`, `$1` and their like, by what `variable` gives. A brace that nothing
 * closes is taken out.
 */
export const expandVariables = (text: string, variable: (name: string) => string): string =>
  text.replace(/\$(\{[^}]*\}|\{|[*#$@!?\d-]|\w+)/g, (_whole, found: string) => {
    const name = found.startsWith('{') ? found.slice(1, -1) : found;
    return name === '' ? '' : variable(name);
  });
