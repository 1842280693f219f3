/**
 * The header that names a file, for old and new browsers alike.
 * @example formatContentDisposition('attachment', 'boleto.pdf') // "attachment; filename="boleto.pdf"; filename*=UTF-8''boleto.pdf"
 */
export function formatContentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}
