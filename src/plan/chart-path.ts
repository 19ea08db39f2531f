/** The names of the charts around a template, outermost first: shop, database for `shop/charts/database/templates/x.yaml`. */
export function chartNamesOf(source: string): readonly string[] {
  const [root = '', ...segments] = source.split('/');
  const names = [root];
  for (let at = 0; segments[at] === 'charts' && segments.length > at + 2; at += 2)
    names.push(segments[at + 1] as string);
  return names;
}
