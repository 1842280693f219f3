// What a person offers a customer to choose from: over POST /messages, kept as a menu until it leaves, refused where something is unclear.
import { beforeEach, describe, expect, test } from 'bun:test'
import { type Choices, chooseMenuForm, type Message, parseChoices, resolveMenuChoice, toMenu } from '@balcao/contract'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { sql, findSession, openTicket } = await startTwoQueueDesk()
let ticketId = 0

beforeEach(async () => {
  await sql`delete from ticket`
  ticketId = await openTicket()
})

describe('choices sent by an agent', () => {
  test('stand as numbered lines in the conversation and wait as a menu; the same clientId sends them once', async () => {
    const body = {
      body: '*Bruna:*\nComo prefere pagar?',
      choices: [{ name: 'Pix' }, { name: ' Boleto ' }],
      clientId: 'um',
    }
    const answers = await Promise.all([post(body), post(body)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const [id = 0] = new Set(answers.map(({ body: { id } }) => id))
    expect(answers[0]?.body.body).toBe('*Bruna:*\nComo prefere pagar?\n\n1 - Pix\n2 - Boleto')
    const options = [
      { number: '1', name: 'Pix' },
      { number: '2', name: 'Boleto' },
    ]
    expect(await waiting()).toEqual([
      { messageId: id, text: answers[0]?.body.body ?? '', menu: { words: '*Bruna:*\nComo prefere pagar?', options } },
    ])
  })

  test('that failed are sent again as they were', async () => {
    const { body } = await post({ body: 'Qual?', choices: [{ name: 'Um' }, { name: 'Dois' }] })
    const [before] = await waiting()
    await sql`update outbox set state = 'failed'`
    await sql`update message set state = 'failed' where id = ${body.id}`
    const again = await findSession('Bruna').call('POST', `/messages/retry/${body.id}`, {})
    expect([again.status, (await waiting())[0]]).toEqual([200, before])
  })

  test('whose words are changed while they wait leave with the new ones', async () => {
    const { body } = await post({ body: 'Como prefere pagar?', choices: [{ name: 'Pix' }, { name: 'Boleto' }] })
    const text = 'Como prefere pagar hoje?\n\n1 - Pix\n2 - Cartão'
    const edited = await findSession('Bruna').call('PUT', `/messages/${ticketId}`, { messageId: body.id, body: text })
    expect([edited.status, await waiting()]).toEqual([200, [{ messageId: body.id, text, menu: undefined }]])
  })

  test('with sections have each above its own', async () => {
    const choices = parseChoices('# Centro\nSegunda\nTerça\n\n# Praia\n Sábado ')
    const { body } = await post({ body: 'Onde e quando?', choices })
    expect(body.body).toBe('Onde e quando?\n\n*Centro*\n1 - Segunda\n2 - Terça\n\n*Praia*\n3 - Sábado')
    expect(chooseMenuForm(toMenu('Onde e quando?', choices))).toEqual({
      as: 'list',
      words: 'Onde e quando?',
      sections: [
        {
          title: 'Centro',
          choices: [
            { id: '1', title: '1 - Segunda' },
            { id: '2', title: '2 - Terça' },
          ],
        },
        { title: 'Praia', choices: [{ id: '3', title: '3 - Sábado' }] },
      ],
    })
  })

  test.each<[string, object]>([
    ['none at all', { choices: [] }],
    ['more than ten', { choices: Array.from({ length: 11 }, (_, at) => ({ name: `Opção ${at}` })) }],
    ['ten thousand', { choices: Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}` })) }],
    ['one without a name', { choices: [{ name: 'Sim' }, { name: '  ' }] }],
    ['one of two lines', { choices: [{ name: 'Sim\n2 - Não' }] }],
    ['one too long to be shown whole', { choices: [{ name: 'x'.repeat(73) }] }],
    ['two that are the same', { choices: [{ name: 'Sim' }, { name: 'sim ' }] }],
    ['a section for some', { choices: [{ name: 'Sim', section: 'A' }, { name: 'Não' }] }],
    ['a section too long to be shown whole', { choices: [{ name: 'Sim', section: 'x'.repeat(25) }] }],
    ['no list', { choices: 'Sim' }],
    ['a comment', { body: '-- só nós', choices: [{ name: 'Sim' }] }],
    ['no words', { body: ' ', choices: [{ name: 'Sim' }] }],
    ['text that is too long with them', { body: 'x'.repeat(65_530), choices: [{ name: 'Sim, com prazer' }] }],
  ])('are refused with %s, and nothing is written', async (_, body) => {
    const { status } = await post({ body: 'Qual?', ...body })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(await waiting()).toEqual([])
  })

  test('are never cut, whatever they are called, and what comes back is understood', () => {
    for (const length of [1, 10, 16, 17, 20, 21, 24, 25, 60, 72])
      for (const many of [1, 2, 3, 4, 10]) {
        const choices: Choices = Array.from({ length: many }, (_, at) => ({ name: `${at}`.padEnd(length, 'ã') }))
        const menu = toMenu('Qual?', choices.slice(0, length === 1 ? 10 : many))
        const form = chooseMenuForm(menu)
        const shown = (form?.sections ?? []).flatMap(section => section.choices)
        expect(shown).toHaveLength(many)
        for (const [at, { title, description }] of shown.entries()) {
          expect(title.length).toBeLessThanOrEqual(form?.as === 'buttons' ? 20 : 24)
          expect(`${title} ${description ?? ''} ${form?.words}`).toContain(choices[at]?.name ?? '?')
          expect(resolveMenuChoice(title, menu.options)).toBe(at)
        }
      }
  })
})

function post(body: object) {
  return findSession('Bruna').call<Message>('POST', `/messages/${ticketId}`, body)
}

/** What waits to leave. */
async function waiting() {
  const rows = await sql<{ messageId: number; payload: { text: string; menu?: object } }[]>`
    select message_id::int as "messageId", payload from outbox where state = 'queued' order by id`
  return rows.map(({ messageId, payload: { text, menu } }) => ({ messageId, text, menu }))
}
