// A connection behind a gateway, as an administrator sets it up: paired by the code on the screen and by characters, and used.
import { describe, test } from 'bun:test'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Locator } from 'playwright-core'
import { visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { leaveGreeting, waitUntil } from '../src/steps.ts'

/** The smallest picture there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const { world, page } = await openTestSystem({ patienceMs: 15_000 })

describe('behind a gateway (meow)', () => {
  test('a connection is added and paired by reading the QR code on the screen', async () => {
    await visit(page, '/connections')
    await page.getByRole('button', { name: 'Adicionar conexão' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Nome').fill('Filial Sul')
    await form.getByRole('button', { name: 'Outras formas' }).click()
    await form.getByText('API 3 M').click()
    await form.getByRole('button', { name: 'Continuar' }).click()
    await card().waitFor()
    const code = page.locator('[data-qr]')
    await code.waitFor()
    await company().whatsapp.scan(async () => (await code.getAttribute('data-qr')) ?? '')
    await card().getByText('Conectada').waitFor()
    await code.waitFor({ state: 'detached' })
    await leaveGreeting(page)
  })

  test('words and a picture come in and go out, and show their ticks', async () => {
    await visit(page, '/tickets')
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    const rafael = world.simulator.find('Rafael Lima') as CustomerPagePhone
    await rafael.whatsapp.send(company().whatsapp, { type: 'text', text: 'Esta peça serve?' })
    await rafael.whatsapp.send(company().whatsapp, {
      type: 'image',
      data: PICTURE,
      mimetype: 'image/png',
      caption: 'A antiga',
    })
    const row = page.getByRole('option', { name: /Rafael Lima/ }).first()
    await row.getByText('A antiga', { exact: true }).waitFor()
    await row.click()
    const messages = page.getByRole('region', { name: 'Mensagens' })
    await messages.getByText('Esta peça serve?', { exact: true }).waitFor()
    await messages
      .getByRole('img', { name: /Foto|A antiga|imagem/i })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Aceitar' }).first().click()
    const queues = page.getByRole('dialog')
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await Promise.race([queues.waitFor(), composer.waitFor()])
    if (await queues.isVisible()) {
      await queues.getByText('Comercial').click()
      await queues.getByRole('button', { name: /Iniciar atendimento/ }).click()
    }
    await composer.fill('Serve sim, segue a nova.')
    await page.keyboard.press('Enter')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'peca.png', mimeType: 'image/png', buffer: PICTURE })
    await page
      .getByRole('button', { name: /Enviar/ })
      .last()
      .click()
    const chat = () => rafael.whatsapp.chat(company().whatsapp)
    await waitUntil('the phone has the words', () =>
      chat().some(({ content }) => content.type === 'text' && content.text.includes('segue a nova')),
    )
    await waitUntil('the phone has the picture', () => chat().some(one => !one.fromMe && one.content.type === 'image'))
    rafael.whatsapp.read(company().whatsapp)
    await messages.getByLabel('Lida').nth(1).waitFor()
  })

  test('disconnected, it is paired again by the characters typed on the phone', async () => {
    await visit(page, '/connections')
    await card().getByRole('button', { name: 'Desconectar' }).click()
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Desconectar' })
      .click()
    await waitUntil('the phone lists no device', () => company().whatsapp.linked.length === 0)
    await card().getByRole('button', { name: 'Parear por código' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('55 31 99711-4466')
    await page.keyboard.press('Enter')
    const code = page.locator('[data-pair-code]')
    await code.waitFor()
    await company().whatsapp.enterCode((await code.getAttribute('data-pair-code')) ?? '')
    await card().getByText('Conectada').waitFor()
  })
})

function card(): Locator {
  return page.getByRole('listitem').filter({ hasText: 'Filial_Sul' })
}

function company(): CompanyPagePhone {
  return world.simulator.find('Celular da filial') as CompanyPagePhone
}
