// The main job, for each kind of connection: a customer writes, an agent answers in the browser, nothing is lost.
import { describe, expect, test } from 'bun:test'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Locator } from 'playwright-core'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { acceptTicket, leaveGreeting, pairOnScreen, sendText, waitUntil } from '../src/steps.ts'

const { world, desk, page } = await openTestSystem({ world: { here: false }, patienceMs: 15_000 })

describe('by a phone (baileys)', () => {
  test('a connection is added and paired by reading the QR code on the screen', async () => {
    await addAndPair('Atacado', 'API 1 W', 'Celular da empresa')
  })

  test("the customer's message appears without reload, is accepted, answered with text and a file, and read", async () => {
    await visit(page, '/tickets')
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
    const rafael = world.simulator.find('Rafael Lima') as CustomerPagePhone
    await rafael.whatsapp.send(company.whatsapp, { type: 'text', text: 'Bom dia, tem sal grosso?' })
    await acceptAndAnswer('Rafael Lima', 'Bom dia, tem sal grosso?')
    const chat = () => rafael.whatsapp.chat(company.whatsapp)
    await waitUntil('the phone has the answer', () =>
      chat().some(message => JSON.stringify(message).includes('Tem sim, Rafael')),
    )
    await waitUntil('the phone has the file', () =>
      chat().some(message => JSON.stringify(message).includes('tabela.pdf')),
    )
    await rafael.whatsapp.read(company.whatsapp)
    await expectBlueTicks()
  })

  test('resolved, the next message opens a new ticket', async () => {
    const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
    const rafael = world.simulator.find('Rafael Lima') as CustomerPagePhone
    await resolveAndWriteAgain(
      () => rafael.whatsapp.send(company.whatsapp, { type: 'text', text: 'Esqueci de uma coisa' }),
      'Esqueci de uma coisa',
    )
  })
})

describe('by WhatsApp Web in a browser on the server (wwebjs)', () => {
  test('a connection is added and paired by reading the QR code on the screen', async () => {
    await addAndPair('Balcão da loja', 'API 2 B', 'Celular das entregas')
  })

  test("the customer's message appears without reload, is accepted, answered with text and a file, and read", async () => {
    await visit(page, '/tickets')
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    const company = companyPhone('Celular das entregas')
    const bakery = world.simulator.find('Padaria Estrela') as CustomerPagePhone
    await bakery.whatsapp.send(company.whatsapp, { type: 'text', text: 'Boa tarde, entregam hoje?' })
    await acceptAndAnswer('Padaria Estrela', 'Boa tarde, entregam hoje?')
    const chat = () => JSON.stringify(bakery.whatsapp.chat(company.whatsapp))
    await waitUntil('the phone has answer and file', () => /Tem sim, Rafael.*tabela\.pdf/.test(chat()))
    await bakery.whatsapp.read(company.whatsapp)
    await expectBlueTicks()
  })
})

describe('by the official API (cloud_api)', () => {
  test('a connection with a token connects by itself', async () => {
    await visit(page, '/connections')
    await page.getByRole('listitem').filter({ hasText: 'Oficial São José' }).getByText('Conectada').waitFor()
  })

  test("the customer's message appears without reload, is accepted, answered with text and a file, and read", async () => {
    await visit(page, '/tickets')
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    const zeca = world.simulator.find('Mercearia do Zé') as CustomerPagePhone
    const { business } = cloud()
    await zeca.cloud.send(business, { type: 'text', text: 'Vocês abrem no feriado?' })
    await acceptAndAnswer('Mercearia do Zé', 'Vocês abrem no feriado?')
    await waitUntil('Zeca has the answer', () => JSON.stringify(zeca.cloud.chat(business)).includes('Tem sim, Rafael'))
    await waitUntil('Zeca has the file', () => JSON.stringify(zeca.cloud.chat(business)).includes('tabela.pdf'))
    await zeca.cloud.read(business)
    await expectBlueTicks()
  })

  test('resolved, the next message opens a new ticket', async () => {
    const zeca = world.simulator.find('Mercearia do Zé') as CustomerPagePhone
    await resolveAndWriteAgain(
      () => zeca.cloud.send(cloud().business, { type: 'text', text: 'Esqueci de pedir o café' }),
      'Esqueci de pedir o café',
    )
  })
})

test('nothing complained on the way, and axe finds nothing serious on the desk', async () => {
  expect(await findAccessibilityIssues(page)).toEqual([])
  expect(desk.complaints).toEqual([])
})

function companyPhone(owner: string): CompanyPagePhone {
  return world.simulator.find(owner) as CompanyPagePhone
}

async function addAndPair(name: string, kind: string, owner: string): Promise<void> {
  await visit(page, '/connections')
  await page.getByRole('button', { name: 'Adicionar conexão' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome').fill(name)
  if ((await form.getByText(kind).count()) === 0) await form.getByRole('button', { name: 'Outras formas' }).click()
  await form.getByText(kind).click()
  await form.getByRole('button', { name: 'Continuar' }).click()
  await pairOnScreen(page, name, companyPhone(owner))
  await leaveGreeting(page)
}

async function acceptAndAnswer(name: string, text: string): Promise<void> {
  const row = locateRow(name)
  await row.getByText(text, { exact: true }).waitFor()
  await row.click()
  const messages = page.getByRole('region', { name: 'Mensagens' })
  await messages.getByText(text, { exact: true }).waitFor()
  await acceptTicket(page, 'Comercial')
  await sendText(page, 'Tem sim, Rafael! Segue a tabela.')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'tabela.pdf', mimeType: 'application/pdf', buffer: samplePdf() })
  await page
    .getByRole('button', { name: /Enviar/ })
    .last()
    .click()
  await messages.getByText('tabela.pdf').waitFor()
}

async function expectBlueTicks(): Promise<void> {
  await page.getByRole('region', { name: 'Mensagens' }).getByLabel('Lida').nth(1).waitFor()
}

async function resolveAndWriteAgain(write: () => Promise<unknown>, text: string): Promise<void> {
  const before = await ticketNumber()
  await page.getByRole('button', { name: /Resolver/ }).click()
  await page.getByText('Ticket finalizado!').waitFor()
  await page.getByRole('tab', { name: /Pendentes/ }).click()
  await write()
  await page.getByRole('option').getByText(text, { exact: true }).click()
  await page.getByRole('region', { name: 'Mensagens' }).getByText(text, { exact: true }).waitFor()
  expect(await ticketNumber()).not.toBe(before)
}

async function ticketNumber(): Promise<string> {
  return new URL(page.url()).pathname
}

function locateRow(name: string): Locator {
  return page.getByRole('option', { name: new RegExp(name) }).first()
}

function cloud() {
  const { cloud } = world.simulator
  if (!cloud) throw new Error('The world has no Cloud API number')
  return cloud
}

/** The smallest document a reader opens: one empty page. */
function samplePdf(): Buffer {
  return Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  )
}
