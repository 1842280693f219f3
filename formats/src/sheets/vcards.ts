// Cards of people (.vcf), as phones and address books write them, as the rows of a sheet.
import { unescape as readPercents } from 'node:querystring'

interface TextCell {
  readonly t: 's'
  readonly v: string
}

/** A heading, then a row a card. Several numbers of a card stand in one cell. */
export function readVcards(text: string): TextCell[][] {
  // A line that is too long goes on in the next one.
  const lines = text
    .replace(/=\r?\n(?=[=\w])/g, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const rows = [['nome', 'numero', 'email']]
  let [name, numbers, emails]: [string, string[], string[]] = ['', [], []]
  for (const line of lines) {
    const [, property = '', parameters = '', value = ''] =
      /^(?:item\d+\.)?([A-Z-]+)((?:;[^:]*)?):(.*)$/i.exec(line.trim()) ?? []
    const decoded = decodeValue(value, parameters)
    const kind = property.toUpperCase()
    if (kind === 'BEGIN') [name, numbers, emails] = ['', [], []]
    else if (kind === 'FN' && decoded !== '') name = decoded
    else if (kind === 'N' && name === '') name = toName(decoded)
    else if (kind === 'TEL') numbers.push(decoded)
    else if (kind === 'EMAIL') emails.push(decoded)
    else if (kind === 'END') rows.push([name, numbers.join(' ::: '), emails[0] ?? ''])
  }
  return rows.map(row => row.map(v => ({ t: 's', v })))
}

/** `Souza;Ana;Maria;;` is the name of Ana Maria Souza. */
function toName(value: string): string {
  const [family = '', givenName = '', more = ''] = value.split(';')
  return [givenName, more, family].filter(part => part !== '').join(' ')
}

function decodeValue(value: string, parameters: string): string {
  const plain = /QUOTED-PRINTABLE/i.test(parameters)
    ? readPercents(value.replaceAll('%', '%25').replaceAll('=', '%'))
    : value
  return plain
    .replace(/\\([,;\\])/g, '$1')
    .replace(/\\n/gi, ' ')
    .trim()
}
