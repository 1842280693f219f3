// A dump of a desk as large as one likes, in the form of pg_dump.

/** Ticketz with so many tickets, five messages in each, and a contact for three of them. */
export function* makeDump(tickets: number): Generator<string> {
  const contacts = Math.ceil(tickets / 3)
  const at = (n: number) =>
    new Date(Date.UTC(2024, 0, 1) + n * 300_000).toISOString().replace('T', ' ').replace('Z', '+00')
  yield '--\n-- PostgreSQL database dump\n--\n\n'
  yield* block('Companies', ['id', 'name', 'createdAt'], [['1', 'Loja', at(0)]])
  yield* block(
    'Contacts',
    ['id', 'name', 'number', 'isGroup', 'companyId'],
    count(contacts, n => [`${n}`, `Cliente ${n}`, `55329${80_000_000 + n}`, 'f', '1']),
  )
  yield* block(
    'Messages',
    [
      'id',
      'body',
      'fromMe',
      'ack',
      'mediaType',
      'ticketId',
      'contactId',
      'createdAt',
      'companyId',
      'userId',
      'quotedMsgId',
    ],
    count(tickets * 5, n => {
      const ticket = Math.ceil(n / 5)
      const isOurs = n % 2 === 0
      return [
        `MSG${n}`,
        writeText(n),
        isOurs ? 't' : 'f',
        '4',
        'chat',
        `${ticket}`,
        `${(ticket % contacts) + 1}`,
        at(ticket + ((n - 1) % 5)),
        '1',
        isOurs ? '1' : '\\N',
        n % 5 === 2 ? `MSG${n - 1}` : '\\N',
      ]
    }),
  )
  yield* block('Queues', ['id', 'name', 'color', 'companyId'], [['1', 'Vendas', '#aa0000', '1']])
  yield* block(
    'Tickets',
    ['id', 'status', 'isGroup', 'contactId', 'userId', 'queueId', 'createdAt', 'updatedAt', 'companyId'],
    count(tickets, n => [`${n}`, 'closed', 'f', `${(n % contacts) + 1}`, '1', '1', at(n), at(n + 6), '1']),
  )
  yield* block(
    'Users',
    ['id', 'name', 'email', 'createdAt', 'companyId'],
    [['1', 'Lia', 'lia@loja.example', at(0), '1']],
  )
  yield '--\n-- PostgreSQL database dump complete\n--\n'
}

/** What the message says. */
export function writeText(n: number): string {
  return `Mensagem ${n} do atendimento ${Math.ceil(n / 5)}: o pedido sai amanhã cedo com a entrega da região.`
}

/** A table of a dump. */
export function* block(
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly string[]>,
): Generator<string> {
  yield `COPY public."${table}" (${columns.map(column => `"${column}"`).join(', ')}) FROM stdin;\n`
  for (const row of rows) yield `${row.join('\t')}\n`
  yield '\\.\n\n'
}

function* count<T>(most: number, make: (n: number) => T): Generator<T> {
  for (let n = 1; n <= most; n++) yield make(n)
}
