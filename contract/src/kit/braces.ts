// Words in double braces, filled in when a text goes out (spec 1 §5 "Composer shortcuts").

/**
 * Fills the words a text holds in double braces; braces around anything else stay as they are.
 * @example fillBraces('Oi, {{ name }}! {{constructor}}', { name: 'Lúcia' }) // 'Oi, Lúcia! {{constructor}}'
 */
export function fillBraces(text: string, values: Readonly<Record<string, string>>): string {
  // Names every object inherits are no words of ours.
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, word: string) =>
    Object.hasOwn(values, word) ? (values[word] ?? whole) : whole,
  )
}
