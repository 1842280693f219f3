// Contact cards as text: how they lie in a message's body (spec 1 §2), whatever kind brought them.

export interface CardPhone {
  readonly phone: string
  /** The number on WhatsApp. */
  readonly waId?: string | undefined
}

/** What else is known of who is on a card. */
export interface CardDetails {
  readonly emails?: readonly string[]
  readonly org?: string
}

/** A card with a name, numbers, and what else there is. */
export function renderVcard(name: string, phones: readonly CardPhone[], { emails = [], org }: CardDetails = {}) {
  const numbers = phones.map(({ phone, waId }) => `TEL;type=CELL${waId ? `;waid=${waId}` : ''}:${line(phone)}`)
  const more = [...emails.map(email => `EMAIL:${line(email)}`), ...(org ? [`ORG:${line(org)}`] : [])]
  const named = [`N:;${line(name)};;;`, `FN:${line(name)}`]
  return ['BEGIN:VCARD', 'VERSION:3.0', ...named, ...numbers, ...more, 'END:VCARD'].join('\n')
}

/**
 * What stands on a card.
 * @example readVcard('BEGIN:VCARD\nFN:Ana\nTEL;waid=5531988880000:+55 31 98888-0000\nEND:VCARD') // { name: 'Ana', phones: [{ phone: '+55 31 98888-0000', waId: '5531988880000' }], emails: [] }
 */
export function readVcard(card: string) {
  const lines = card.split(/\r?\n/)
  const field = (tag: string) => lines.find(one => new RegExp(`^${tag}[;:]`, 'i').test(one))?.replace(/^[^:]*:/, '')
  const name = field('FN') ?? field('N')?.split(';').filter(Boolean).reverse().join(' ') ?? ''
  const phones = lines
    .filter(one => /^(item\d+\.)?TEL[;:]/i.test(one))
    .map(one => {
      const waId = /waid=(\d+)/i.exec(one)?.[1]
      return { phone: one.replace(/^[^:]*:/, '').trim(), ...(waId && { waId }) }
    })
  const emails = lines
    .filter(one => /^(item\d+\.)?EMAIL[;:]/i.test(one))
    .flatMap(one => one.replace(/^[^:]*:/, '').trim() || [])
  const org = field('ORG')?.replaceAll(';', ' ').trim()
  return { name: name.trim(), phones, emails, ...(org && { org }) }
}

function line(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim()
}
