// The bot from a customer's phone to an agent (spec 3 §2; decisions-2 §9): switched on, put in order, tried, met by a customer, taken over.
import { expect, test } from 'bun:test'
import type { CustomerPagePhone } from '@balcao/simulator/page/phones'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { acceptTicket, sendText, waitUntil } from '../src/steps.ts'

const { world, desk, page } = await openTestSystem({ patienceMs: 15_000 })
const zeca = world.simulator.find('Mercearia do Zé') as CustomerPagePhone

const NAME = 'Mercearia do Zé'

test('the bot is switched on, and its questions are put in order by keyboard and by drag', async () => {
  await page.getByRole('link', { name: 'Perguntas' }).click()
  await locateRow('Horário e endereço').waitFor()
  expect(await numbers()).toEqual(['1', '2', '3', '4', '5', '6', '99', '00'])
  await page.getByRole('switch', { name: 'Robô desligado para atendimentos novos' }).press('Space')
  await page.getByRole('switch', { name: 'Robô ligado para atendimentos novos' }).waitFor()
  const handle = page.getByRole('button', { name: 'Mover Horário e endereço' })
  await handle.focus()
  // The row that moves loses the focus in the page, and has it back before the next key.
  const isHeld = await handle.evaluate(moved => {
    moved.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }))
    return document.activeElement === moved
  })
  expect(isHeld).toBe(true)
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await waitUntil('the order is shown', async () => (await order()).indexOf('Horário e endereço') === 1)
  expect(await handle.evaluate(element => element === document.activeElement)).toBe(true)
  await handle.dragTo(locateRow('Segunda via de boleto'))
  await waitUntil('it is the first again', async () => (await order()).indexOf('Horário e endereço') === 0)
  await page.reload()
  await locateRow('Horário e endereço').waitFor()
  expect((await order()).slice(0, 2)).toEqual(['Horário e endereço', 'Segunda via de boleto'])
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('the phone beside them plays the bot, with a question that is not a minute old', async () => {
  await page.getByRole('button', { name: 'Adicionar pergunta' }).first().click()
  const form = page.getByRole('dialog', { name: 'Adicionar pergunta' })
  await form.getByLabel('Pergunta', { exact: false }).first().fill('Aceitam Pix?')
  await form.getByLabel('Resposta', { exact: false }).first().fill('Sim, {{name}}: a chave é o CNPJ.')
  await form.getByRole('button', { name: 'Adicionar' }).click()
  await locateRow('Aceitam Pix?').waitFor()
  const phone = page.getByRole('region', { name: 'Experimente · nada sai para clientes' })
  const field = phone.getByRole('textbox', { name: 'Escreva como cliente' })
  await field.fill('Oi')
  await field.press('Enter')
  await phone.getByText('7 - Aceitam Pix?').waitFor()
  await field.fill('vocês aceitam pix, por favor?')
  await field.press('Enter')
  await phone.getByText('Sim, Ana Souza: a chave é o CNPJ.').waitFor()
  await phone.getByRole('button', { name: '99 atendente' }).click()
  await phone.getByText('Escolha uma opção').waitFor()
})

test('a customer meets it on the phone, and the desk sees whom it has', async () => {
  const { business } = cloud()
  await zeca.cloud.send(business, { type: 'text', text: 'Oi' })
  await waitUntil('the menu is on the phone', () => chat().includes('Responda com o número do que você procura'))
  expect(chat()).toContain('99 - Falar com')
  const link = page.getByRole('link', { name: /Atendidos pelo robô/ })
  await link.getByText('1', { exact: true }).waitFor()
  await link.click()
  await page.getByText('O robô está cuidando deste.').waitFor()
  await zeca.cloud.send(business, { type: 'text', text: '1' })
  await waitUntil('the answer is on the phone', () => chat().includes('Rua das Acácias, 81'))
  // The number, and what it stands for.
  await locateRow(NAME).getByText('Horário e endereço').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('whoever needs a person is taken over, and answered by one', async () => {
  const { business } = cloud()
  await zeca.cloud.send(business, { type: 'text', text: '4' })
  await locateRow(NAME).getByText('Comercial').waitFor()
  await page.getByRole('button', { name: `Atender ${NAME}` }).click()
  const dialog = page.getByRole('dialog', { name: `Atender ${NAME}?` })
  await dialog.getByText('na fila Comercial').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Ticket atualizado com sucesso!').waitFor()
  await page.getByText('Ninguém com o robô').waitFor()
  await visit(page, '/tickets')
  await page.getByRole('tab', { name: /Pendentes/ }).click()
  await page
    .getByRole('option', { name: new RegExp(NAME) })
    .first()
    .click()
  await acceptTicket(page, 'Comercial')
  await sendText(page, 'Oi! Aqui é gente.')
  await waitUntil('the phone has the answer', () => chat().includes('Oi! Aqui é gente.'))
  const before = chat()
  await zeca.cloud.send(business, { type: 'text', text: '1' })
  await page.getByRole('region', { name: 'Mensagens' }).getByText('1', { exact: true }).last().waitFor()
  expect(chat().split('Acácias').length).toBe(before.split('Acácias').length)
})

test('nothing complained on the way', () => {
  expect(desk.complaints).toEqual([])
})

function cloud() {
  const { cloud: found } = world.simulator
  if (!found) throw new Error('The simulator has no official API')
  return found
}

/** All that is in the conversation on the customer's phone. */
function chat(): string {
  return JSON.stringify(zeca.cloud.chat(cloud().business))
}

function locateRow(name: string) {
  return page.getByRole('row').filter({ hasText: name }).first()
}

async function order(): Promise<string[]> {
  const cells = await page.getByRole('row').locator('td:nth-child(2)').allTextContents()
  return cells.map(text => text.trim())
}

async function numbers(): Promise<string[]> {
  const cells = await page.getByRole('row').locator('th[scope=row]').allTextContents()
  return cells.map(text => text.trim())
}
