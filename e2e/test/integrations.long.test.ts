// Webhooks and tokens as an administrator sets them up in the page, against a program that is told: the simulator’s receiver.
import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { signInAdministrator, tabToTarget, toggleOptions, waitUntil } from '../src/steps.ts'

const { world, desk, sql, page } = await openTestSystem()
const { receiver } = world.simulator
const api = await signInAdministrator(world)
const queues = (await api('GET', '/queue')) as { readonly id: number; readonly name: string }[]
const [queue, otherQueue] = queues
const dialog = page.getByRole('dialog')
const { keyboard } = page

const findCalls = (type: string) => receiver.calls.filter(call => call.type === type)

/** Without a mouse the list is opened by the arrow. */
async function chooseByKeys(field: Locator, names: readonly string[]): Promise<void> {
  await tabToTarget(page, field.locator('input').first())
  await keyboard.press('ArrowDown')
  await toggleOptions(page, names)
}

const findSelect = (label: string) =>
  dialog.locator('.b-field').filter({ hasText: label }).locator('.p-multiselect').first()

async function save(action: string): Promise<void> {
  await tabToTarget(page, dialog.getByRole('button', { name: action, exact: true }))
  await keyboard.press('Enter')
}

/** What is shown this once: it stays until it was copied. */
async function takeSecret(label: string): Promise<string> {
  const secret = await dialog.getByRole('textbox', { name: label, exact: true }).inputValue()
  await keyboard.press('Escape')
  await dialog.getByText(/não aparece de novo/).waitFor()
  await dialog.getByRole('button', { name: 'Voltar' }).click()
  await dialog.getByRole('button', { name: /^Copiar/ }).click()
  await dialog.getByRole('button', { name: 'Pronto' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  return secret
}

async function openDialog(action: string): Promise<void> {
  // An empty list offers it once more.
  await page.getByRole('button', { name: action, exact: true }).first().click()
  await dialog.waitFor()
}

/** A ticket of a queue, paused by an agent. */
async function pauseTicket(queueId = 0): Promise<number> {
  const [ticket] = await sql<{ id: number }[]>`
    select id from ticket where status = 'pending' and not is_group order by id limit 1`
  const path = `/tickets/${ticket?.id}`
  await api('PUT', path, { status: 'open', queueId })
  await api('PUT', path, { status: 'paused', pauseTag: 'Almoço' })
  return ticket?.id ?? 0
}

const addContact = (name: string, number: string) => api('POST', '/contacts', { name, number })

test('an address is added by keyboard with its events, a queue and what goes along; its secret is shown once', async () => {
  await visit(page, '/integrations')
  await tabToTarget(page, page.getByRole('button', { name: 'Adicionar webhook' }).first())
  await keyboard.press('Enter')
  await dialog.waitFor()
  await keyboard.type('n8n')
  await keyboard.press('Tab')
  await keyboard.type('n8n.local/pedidos')
  await save('Adicionar')
  await dialog.getByText('Dê um endereço que começa com https://').waitFor()
  await chooseByKeys(findSelect('Eventos'), ['Atendimento pausado', 'Contato criado'])
  await chooseByKeys(findSelect('Só destas filas'), [queue?.name ?? ''])
  await dialog.getByRole('checkbox', { name: 'Contato: nome' }).check()
  await dialog.getByLabel('Endereço').fill(`${receiver.url}/pedidos`)
  await save('Adicionar')
  await dialog.getByText('Copie agora').waitFor()
  receiver.secret = await takeSecret('Segredo')
  expect(receiver.secret).toStartWith('whsec_')
  const row = page.getByRole('row', { name: /n8n/ })
  for (const text of ['2 eventos', 'Ligado']) await row.getByText(text, { exact: true }).waitFor()
})

test('the test sends the sample that stands there, and says what was answered', async () => {
  await openDialog('Enviar um teste a n8n')
  const shown = JSON.parse(await dialog.getByRole('textbox', { name: 'Exemplo' }).inputValue())
  await dialog.getByRole('button', { name: 'Enviar um teste' }).click()
  await dialog.getByText('Entregue').waitFor()
  await dialog.getByText(/resposta 200/).waitFor()
  const [call] = receiver.calls
  expect(call).toMatchObject({ path: '/pedidos', isSigned: true, type: 'ticket.paused', data: shown.data })
  expect(Object.keys(call?.data ?? {})).toContain('contactName')
  expect(Object.keys(call?.data ?? {})).not.toContain('contactNumber')
  await keyboard.press('Escape')
})

test('it is told of its queue alone, until the filter is taken away', async () => {
  await addContact('Sem aviso', '5531988880001')
  await pauseTicket(otherQueue?.id)
  const ticketId = await pauseTicket(queue?.id)
  await waitUntil('the queue’s ticket is told', async () => findCalls('ticket.paused').length > 1)
  expect(findCalls('ticket.paused').at(-1)?.data).toMatchObject({ ticketId, queueId: queue?.id })
  await openDialog('Editar n8n')
  await chooseByKeys(findSelect('Só destas filas'), [queue?.name ?? ''])
  await dialog.getByRole('checkbox', { name: 'Contato: nome' }).uncheck()
  await save('Salvar')
  await dialog.waitFor({ state: 'detached' })
  await addContact('Com aviso', '5531988880002')
  await waitUntil('a contact is told', async () => findCalls('contact.created').length > 0)
  expect(receiver.calls.map(({ type }) => type)).toEqual(['ticket.paused', 'ticket.paused', 'contact.created'])
  expect(findCalls('contact.created')[0]?.data).not.toHaveProperty('contactName')
})

test('deliveries say what was sent and answered, and one is sent again under its number', async () => {
  receiver.answer = () => new Response('estoque fora do ar', { status: 503 })
  await addContact('Recusado', '5531988880003')
  // From the second refusal on it waits for minutes.
  await waitUntil('it is refused twice', async () => findCalls('contact.created').length === 3)
  await openDialog('Entregas de n8n')
  const refused = dialog.getByRole('listitem').filter({ hasText: 'Na espera' })
  await waitUntil('the list says so', async () => {
    await dialog.getByRole('button', { name: 'Atualizar' }).click()
    return (await refused.getByText(/2 tentativas/).count()) > 0
  })
  await refused.getByText(/resposta 503/).click()
  expect(await refused.getByRole('textbox', { name: 'Resposta' }).inputValue()).toContain('estoque fora do ar')
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'Teste' })
    .getByText(/resposta 200/)
    .waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  receiver.answer = undefined
  await refused.getByRole('button', { name: 'Enviar de novo' }).click()
  await page.getByText('A entrega será enviada de novo').first().waitFor()
  await waitUntil('it comes again', async () => findCalls('contact.created').length > 3)
  const [, first, , again] = findCalls('contact.created')
  expect([again?.id, again?.isSigned, again?.body]).toEqual([first?.id, true, first?.body])
  await waitUntil('the list says so', async () => {
    await dialog.getByRole('button', { name: 'Atualizar' }).click()
    return (await dialog.getByText(/resposta 503/).count()) === 0
  })
  await keyboard.press('Escape')
})

test('the receiver’s page shows what came, the newest first, with its signature', async () => {
  const shown = await desk.context.newPage()
  receiver.secret = ''
  await shown.goto(receiver.url)
  await shown.getByText('signature not checked').first().waitFor()
  receiver.secret = 'whsec_dGVzdGU='
  await fetch(receiver.url, { method: 'POST', body: JSON.stringify({ type: '<b>x</b>', data: {} }) })
  await shown.reload()
  await shown.getByRole('heading', { name: `${receiver.calls.length} calls` }).waitFor()
  const calls = await shown.getByRole('listitem').allInnerTexts()
  expect(
    calls.map(text =>
      text
        .split('\n')[0]
        ?.replace(/ msg_\w+/, '')
        .replace(/ +/, ' '),
    ),
  ).toEqual([
    '<b>x</b> NOT signed',
    ...Array(4).fill('contact.created signed'),
    ...['ticket.paused signed', 'ticket.paused signed'],
  ])
  expect(calls[1]).toContain('"contactId"')
  await shown.close()
})

test('switched off it is told nothing, and deleted it is gone', async () => {
  const before = receiver.calls.length
  const form = { name: 'Testemunha', address: `${receiver.url}/witness`, events: ['contact.created'] }
  const { id: witness } = (await api('POST', '/integrations', form)) as { readonly id: number }
  await openDialog('Editar n8n')
  await dialog.getByRole('switch', { name: 'Ligado' }).click()
  await save('Salvar')
  await page.getByRole('row', { name: /n8n/ }).getByText('Desligado').waitFor()
  await openDialog('Entregas de n8n')
  await dialog.locator('summary').first().click()
  expect(await dialog.getByRole('button', { name: 'Enviar de novo' }).first().isDisabled()).toBe(true)
  await keyboard.press('Escape')
  await addContact('Calado', '5531988880004')
  await waitUntil('another one is told', async () => receiver.calls.some(({ path }) => path === '/witness'))
  await api('DELETE', `/integrations/${witness}`)
  await openDialog('Excluir n8n')
  await dialog.getByRole('button', { name: 'Excluir webhook' }).click()
  await page.getByText('Nenhum webhook ainda').waitFor()
  expect(receiver.calls.filter(({ path }) => path !== '/witness').length).toBe(before)
})

test('a token is added, shown once, used, and refused as soon as it is revoked', async () => {
  await visit(page, '/integrations?tokens')
  await openDialog('Adicionar token')
  await keyboard.type('ERP da matriz')
  await chooseByKeys(findSelect('Pode'), ['Ler atendimentos'])
  await chooseByKeys(findSelect('Filas da empresa'), [queue?.name ?? ''])
  await save('Adicionar')
  await dialog.getByText('Copie agora').waitFor()
  const token = await takeSecret('Token')
  const read = (path: string) => fetch(world.url + path, { headers: { authorization: `Bearer ${token}` } })
  const row = page.getByRole('row', { name: /ERP da matriz/ })
  for (const text of ['A empresa', 'Ler atendimentos', 'Nunca']) await row.getByText(text).waitFor()
  expect([(await read('/queue')).status, (await read('/contacts')).status]).toEqual([200, 403])
  await openDialog('Editar ERP da matriz')
  await chooseByKeys(findSelect('Pode'), ['Contatos e tags'])
  await save('Salvar')
  await row.getByText('Ler atendimentos, Contatos e tags').waitFor()
  expect((await read('/contacts')).status).toBe(200)
  expect(await row.getByText('Nunca').count()).toBe(0)
  await openDialog('Revogar ERP da matriz')
  await dialog.getByRole('button', { name: 'Revogar token' }).click()
  await page.getByText('Nenhum token ainda').waitFor()
  expect((await read('/queue')).status).toBe(401)
  expect(desk.complaints).toEqual([])
})
