// What the team of the demo's company says among itself, in minutes before now.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

type Key = 'marina' | 'rafael' | 'bruna'

interface SeedChat {
  /** Null: a direct chat of the two. */
  readonly group: string | null
  readonly members: readonly [Key, Key, ...Key[]]
  /** Who has not read the last lines, and how many. */
  readonly unread?: { readonly by: Key; readonly lines: number }
  readonly lines: readonly {
    readonly ago: number
    readonly from: Key
    readonly body: string
    readonly answers?: number
  }[]
}

const DAY = 24 * 60

const CHATS: readonly SeedChat[] = [
  {
    group: null,
    members: ['marina', 'rafael'],
    lines: [
      { ago: DAY + 40, from: 'rafael', body: 'Marina, a Padaria Estrela pediu prazo de 20 dias no pedido grande.' },
      { ago: DAY + 36, from: 'marina', body: 'São clientes desde a inauguração. *Pode dar*, mas em duas parcelas.' },
      { ago: DAY + 35, from: 'rafael', body: 'Fechado, aviso eles agora 👍' },
      { ago: 58, from: 'marina', body: 'Rafael, a Dona Lúcia quer tirar os juros do boleto deste mês. Você libera?' },
      { ago: 52, from: 'rafael', body: 'Libero sim. Ela nunca atrasou antes.', answers: 4 },
      { ago: 51, from: 'marina', body: 'Obrigada! Já mando o novo para ela.' },
    ],
  },
  {
    group: 'Avisos da loja',
    members: ['marina', 'rafael', 'bruna'],
    unread: { by: 'marina', lines: 2 },
    lines: [
      { ago: 2 * DAY, from: 'marina', body: 'Pessoal, sexta a loja fecha às 16h para o inventário.' },
      { ago: 2 * DAY - 4, from: 'bruna', body: 'As entregas de sexta saem todas pela manhã, então?' },
      {
        ago: 2 * DAY - 9,
        from: 'marina',
        body: 'Isso. Avisem quem tem pedido marcado para a tarde:\n- Padaria Estrela\n- Mercearia do Zé',
        answers: 2,
      },
      { ago: 2 * DAY - 15, from: 'rafael', body: 'O pessoal do comercial já foi avisado.' },
      { ago: 95, from: 'bruna', body: 'O caminhão voltou da oficina, hoje roda normal 🚚' },
      { ago: 90, from: 'marina', body: 'Ótima notícia, Bruna!' },
      { ago: 34, from: 'bruna', body: 'Pessoal, o motorista pediu para confirmar o endereço da Padaria Estrela.' },
      { ago: 31, from: 'rafael', body: 'É o da filial nova, na Rua das Acácias.' },
    ],
  },
]

/** Two lines wait for Marina, so that her bell has something to show; everybody else has read everything. */
export async function seedChats(tx: Tx, users: ReadonlyMap<string, number>): Promise<void> {
  for (const chat of CHATS) await seedChat(tx, chat, key => users.get(key) ?? 0)
}

async function seedChat(
  tx: Tx,
  { group, members, lines, unread }: SeedChat,
  idOf: (key: Key) => number,
): Promise<void> {
  const sql = sqlOf(tx)
  const [opener, other] = members
  const last = lines.at(-1)
  const at = sql`now() - make_interval(mins => ${last?.ago ?? 0})`
  const [chat] = await sql<{ id: number }[]>`
    insert into chat (is_group, group_name, user_id, calling_user_id, message_seq, last_message, last_message_user_id,
      last_message_at, created_at)
    values (${group !== null}, ${group ?? ''}, ${idOf(opener)}, ${group === null ? idOf(other) : null}, ${lines.length},
      ${last?.body ?? ''}, ${idOf(last?.from ?? opener)}, ${at}, now() - make_interval(mins => ${lines[0]?.ago ?? 0}))
    returning id`
  const chatId = chat?.id ?? 0
  for (const member of members) {
    const left = unread?.by === member ? unread.lines : 0
    await sql`
      insert into chat_member (chat_id, user_id, unread, read_seq, last_message_at)
      values (${chatId}, ${idOf(member)}, ${left}, ${lines.length - left}, ${at})`
  }
  const ids: string[] = []
  for (const [index, { ago, from, body, answers }] of lines.entries()) {
    const [row] = await sql<{ id: string }[]>`
      insert into chat_message (chat_id, seq, sender_id, body, quoted_id, created_at)
      values (${chatId}, ${index + 1}, ${idOf(from)}, ${body}, ${answers === undefined ? null : (ids[answers - 1] ?? null)},
        now() - make_interval(mins => ${ago})) returning id`
    ids.push(row?.id ?? '0')
  }
  await sql`update chat set last_message_id = ${ids.at(-1) ?? null} where id = ${chatId}`
}
