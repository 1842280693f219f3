// Contact cards as text: how they lie in a message's body (spec 1 §2), whatever kind brought them.

/** A card with a name and numbers; `waId` is the number on WhatsApp. */
export function vcardOf(
  name: string,
  phones: readonly { readonly phone: string; readonly waId?: string | undefined }[],
) {
  const numbers = phones.map(({ phone, waId }) => `TEL;type=CELL${waId ? `;waid=${waId}` : ''}:${line(phone)}`)
  return ['BEGIN:VCARD', 'VERSION:3.0', `N:;${line(name)};;;`, `FN:${line(name)}`, ...numbers, 'END:VCARD'].join('\n')
}

/**
 * The name and numbers of a card.
 * @example readVcard('BEGIN:VCARD\nFN:Ana\nTEL;waid=5531988880000:+55 31 98888-0000\nEND:VCARD') // { name: 'Ana', phones: [{ phone: '+55 31 98888-0000', waId: '5531988880000' }] }
 */
export function readVcard(card: string): { name: string; phones: { phone: string; waId?: string }[] } {
  const lines = card.split(/\r?\n/)
  const field = (tag: string) => lines.find(one => new RegExp(`^${tag}[;:]`, 'i').test(one))?.replace(/^[^:]*:/, '')
  const name = field('FN') ?? field('N')?.split(';').filter(Boolean).reverse().join(' ') ?? ''
  const phones = lines
    .filter(one => /^(item\d+\.)?TEL[;:]/i.test(one))
    .map(one => {
      const waId = /waid=(\d+)/i.exec(one)?.[1]
      return { phone: one.replace(/^[^:]*:/, '').trim(), ...(waId && { waId }) }
    })
  return { name: name.trim(), phones }
}

function line(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim()
}
