// The composer by keyboard and by mouse, on a desk and on a phone (spec 1 §2, §4, §5 "Composer"), with what arrives at the customer's.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { INVENTED_MICROPHONE, launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { makePicture } from '../src/every-message.ts'
import { listFilesOnPhone, listTextsOnPhone, pairPhone, pressShortcut, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let desk: DeskSession
let page: Page
let lucia: CustomerPagePhone
let shop: CompanyPagePhone

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(INVENTED_MICROPHONE), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  shop = find('Celular da empresa')
  lucia = world.simulator.find('Dona Lúcia') as CustomerPagePhone
  desk = await signIn(browser, world)
  await pairPhone(world, sql, 'Loja Centro', shop)
  page = desk.page
  page.setDefaultTimeout(15_000)
  await open(page, /Dona Lúcia/)
}, 180_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('spec 1 §5: text', () => {
  test('is marked by keys as WhatsApp marks it, shown as it will be read, and undone', async () => {
    await field().fill('boleto novo')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+b')
    expect(await field().inputValue()).toBe('*boleto novo*')
    await readAs().locator('strong', { hasText: 'boleto novo' }).waitFor()
    await page.keyboard.press('Control+i')
    expect(await field().inputValue()).toBe('*_boleto novo_*')
    await page.keyboard.press('Control+z')
    expect(await field().inputValue()).toBe('*boleto novo*')
  })

  test('is marked by buttons', async () => {
    await field().fill('arroz\nfeijão')
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Formatação' }).click()
    await page.getByRole('toolbar', { name: 'Formatação' }).getByRole('button', { name: 'Lista', exact: true }).click()
    expect(await field().inputValue()).toBe('- arroz\n- feijão')
    await page.getByRole('button', { name: 'Formatação' }).click()
  })

  test('of blanks alone is not sent', async () => {
    await field().fill('   \n ')
    const before = await bubbles(page).count()
    await page.keyboard.press('Enter')
    expect([await bubbles(page).count(), await field().inputValue()]).toEqual([before, '   \n '])
    await field().fill('')
  })

  test('grows to five rows and no further', async () => {
    const height = async (rows: number) => {
      await field().fill(Array(rows).fill('linha').join('\n'))
      return (await field().boundingBox())?.height ?? 0
    }
    const [one, five, nine] = [await height(1), await height(5), await height(9)]
    expect(five).toBeGreaterThan(one * 2)
    expect(nine).toBe(five)
    await field().fill('')
  })

  test('what else can be sent is chosen from a menu that covers none of what is written', async () => {
    await field().fill(Array(5).fill('linha').join('\n'))
    await page.getByRole('button', { name: 'Contato, modelo e mais' }).click()
    const [menu, written] = [await page.getByRole('menu').boundingBox(), await page.locator('.k-box').boundingBox()]
    if (!menu || !written) throw new Error('The menu or the composer is not drawn')
    expect(menu.y + menu.height).toBeLessThanOrEqual(written.y)
    await page.keyboard.press('Escape')
    await field().fill('')
  })

  test('words in double braces are offered, previewed and filled in; the signature stands above', async () => {
    await page.keyboard.type('Oi, {{na')
    const offered = page.getByRole('listbox', { name: 'Palavras que se preenchem' })
    await offered.getByText('Dona Lúcia').waitFor()
    await page.keyboard.press('Enter')
    expect(await field().inputValue()).toBe('Oi, {{name}}')
    await readAs().getByText('Oi, Dona Lúcia').waitFor()
    await page.keyboard.press('Enter')
    await waitForArrival(text => text.startsWith('*Marina:*\nOi, Dona Lúcia'))
  })

  test('a draft survives a reload, and stays with its ticket', async () => {
    await field().fill('meio escrito')
    await page.reload()
    await field().waitFor()
    expect(await field().inputValue()).toBe('meio escrito')
    expect(await page.getByText(/respondeu enquanto você escrevia/).count()).toBe(0)
    await field().fill('')
  })

  test("'--' makes a comment that is not sent", async () => {
    await page.keyboard.type('-- só nós')
    await page.locator('.k-box').getByText('Comentário interno · só a equipe vê').waitFor()
    await page.getByRole('button', { name: 'Comentar' }).click()
    await bubbles(page).getByText('só nós').waitFor()
    expect(listTextsOnPhone(lucia, shop)).not.toContain('só nós')
  })
})

describe("spec 1 §5: '/' quick answers", () => {
  test('are found, shown filled in and used by keyboard, however fast', async () => {
    await page.keyboard.type('/bom-dia')
    await page.keyboard.press('Enter')
    await waitUntil('it is filled in', async () => /Dona Lúcia.*Marina Souza/.test(await field().inputValue()))
    expect(listTextsOnPhone(lucia, shop).some(text => text.includes('/bom'))).toBe(false)
    await field().fill('')
  })

  test('show the chosen one as it will be read', async () => {
    await page.keyboard.type('/boleto')
    await page.locator('.k-quick-preview').getByText('Segue a 2ª via do seu boleto, Dona Lúcia').waitFor()
    await page.keyboard.press('ArrowDown')
    await page
      .locator('.k-quick-preview')
      .getByText(/sem juros/)
      .waitFor()
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('')
  })
})

describe('fields of a quick answer', () => {
  test('are written, taken and filled in by keyboard alone; unfilled nothing goes out, and the answer is first next time', async () => {
    const other = await desk.page.context().newPage()
    await other.goto(`${world.url}/quickAnswers`)
    await other.getByRole('heading', { name: 'Respostas rápidas' }).waitFor()
    await pressShortcut(other, 'n')
    await other.getByRole('textbox', { name: 'Atalho' }).fill('proposta')
    await other.getByLabel(/^Mensagem/).fill('Fica em [[valor]], até [[dia]], {{name}}.')
    await other.locator('.p-dropdown input').press('ArrowDown')
    await other.locator('.p-dropdown-item', { hasText: 'Só para mim' }).click()
    await other.getByRole('button', { name: 'Adicionar', exact: true }).press('Enter')
    await other.getByRole('row', { name: /proposta.*Só para mim/ }).waitFor()
    expect(await findAccessibilityIssues(other)).toEqual([])
    await other.close()

    await sql`delete from quick_answer_use`
    await page.keyboard.type('/proposta')
    await page.keyboard.press('Enter')
    await waitUntil('the first field is marked', async () => (await findMarked()) === '[[valor]]')
    await page.keyboard.press('Enter')
    await page.getByText('Preencha “valor” antes de enviar.').first().waitFor()
    await page.keyboard.type('R$ 40,00')
    await page.keyboard.press('Tab')
    expect(await findMarked()).toBe('[[dia]]')
    await page.keyboard.press('Shift+Tab')
    await field().press('End')
    await page.keyboard.press('Enter')
    await waitUntil('what is unfilled is marked', async () => (await findMarked()) === '[[dia]]')
    await page.keyboard.type('sexta')
    await page.keyboard.press('Enter')
    await waitForArrival(text => text.includes('Fica em R$ 40,00, até sexta, Dona Lúcia'))
    expect(listTextsOnPhone(lucia, shop).some(text => text.includes('[['))).toBe(false)

    await waitUntil('the use is counted', async () => (await sql`select 1 from quick_answer_use`).length > 0)
    await page.keyboard.type('/')
    const first = page.getByRole('listbox', { name: 'Respostas rápidas' }).getByRole('option').first()
    expect(await first.textContent()).toContain('/proposta')
    await page.keyboard.press('Escape')
  })
})

describe('spec 1 §2: emojis', () => {
  test('are found by name and put where the caret is, by keyboard', async () => {
    await field().fill('Obrigada')
    await page.getByRole('button', { name: 'Emojis' }).press('Enter')
    await page.getByLabel('Procurar emoji').fill('polegar para cima')
    await page
      .getByRole('button', { name: /polegar para cima/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    expect(await field().inputValue()).toBe('Obrigada👍')
    await field().fill('')
  })

  test('a double click on their button leaves them open, one press more closes them', async () => {
    const button = page.getByRole('button', { name: 'Emojis' })
    const emojis = page.getByRole('dialog', { name: 'Emojis' })
    await button.dblclick()
    await emojis.getByRole('button').first().waitFor()
    // Beyond the time in which a press still belongs to the double click.
    await Bun.sleep(600)
    expect(await emojis.isVisible()).toBe(true)
    await button.click()
    await emojis.waitFor({ state: 'detached' })
    await Bun.sleep(100)
    expect(await emojis.count()).toBe(0)
  })
})

describe('spec 1 §4, §5: file preview', () => {
  test('each file has its caption and its place in the order; accents go from names', async () => {
    await field().fill('frente')
    await choose(
      page,
      { name: 'recibo-ção.txt', mimeType: 'text/plain', buffer: Buffer.from('um') },
      { name: 'tabela.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') },
    )
    const files = page.getByRole('list', { name: 'Arquivos para enviar' })
    await files.getByRole('button', { name: /tabela\.csv/ }).click()
    await page.getByLabel(/^Mensagem para/).fill('verso')
    await files.getByRole('button', { name: /tabela\.csv/ }).press('Alt+ArrowLeft')
    await files.getByRole('button', { name: 'Arquivo 1 de 2: tabela.csv' }).waitFor()
    await page.getByLabel(/^Mensagem para/).press('Enter')
    await waitUntil('both arrive in this order', () => {
      const sent = listFilesOnPhone(lucia, shop).slice(-2)
      return (
        sent[0]?.fileName === 'tabela.csv' &&
        sent[0].caption === '*Marina:*\nverso' &&
        sent[1]?.fileName === 'recibo-cao.txt' &&
        sent[1].caption === '*Marina:*\nfrente'
      )
    })
  })

  test('together over 20 MB they are refused before anything is uploaded', async () => {
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(21 * 1024 * 1024)], 'grande.bin'))
      return transfer
    })
    await field().dispatchEvent('drop', { dataTransfer: data })
    await page.getByText('Os arquivos selecionados excedem o limite total de 20 MB.').last().waitFor()
    expect(await page.getByRole('list', { name: 'Arquivos para enviar' }).count()).toBe(0)
  })

  test('files are dropped on the field, which says so', async () => {
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['solto'], 'solto.txt', { type: 'text/plain' }))
      return transfer
    })
    await field().dispatchEvent('dragenter', { dataTransfer: data })
    await page.getByText('Solte o arquivo na barra de digitação para anexa-lo!').waitFor()
    await field().dispatchEvent('drop', { dataTransfer: data })
    await page.getByText('solto.txt').first().waitFor()
    await page.getByRole('button', { name: 'Tirar solto.txt' }).click()
    await field().waitFor()
    // On another customer's row they are not for the customer whose conversation is open.
    await page.getByRole('option').last().dispatchEvent('drop', { dataTransfer: data })
    expect(await page.getByRole('button', { name: 'Tirar solto.txt' }).count()).toBe(0)
  })

  test('a file dropped over a dialog goes to the dialog, never to the customer below it', async () => {
    const data = await page.evaluateHandle(async () => {
      const canvas = new OffscreenCanvas(8, 8)
      canvas.getContext('2d')
      const transfer = new DataTransfer()
      transfer.items.add(new File([await canvas.convertToBlob()], 'eu.png', { type: 'image/png' }))
      return transfer
    })
    await page.keyboard.press('Escape')
    await pressShortcut(page, 'p')
    const pause = page.getByRole('dialog', { name: 'Pausar esta conversa?' })
    await pause.dispatchEvent('drop', { dataTransfer: data })
    await page.keyboard.press('Escape')
    await pause.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('menuitem', { name: 'Meu perfil' }).click()
    const profile = page.getByRole('dialog', { name: 'Meu perfil' })
    const sent = page.waitForRequest(request => request.url().includes('/users/picture/'))
    await profile.dispatchEvent('drop', { dataTransfer: data })
    await sent
    await page.keyboard.press('Escape')
    await profile.waitFor({ state: 'detached' })
    expect(await page.getByRole('list', { name: 'Arquivos para enviar' }).count()).toBe(0)
    await field().focus()
  })

  test('a comment takes no file: it would reach the customer', async () => {
    await field().fill('-- só nós')
    await choose(page, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await page
      .getByText(/Comentário interno não leva arquivo/)
      .last()
      .waitFor()
    await field().fill('')
  })
})

describe('a file that was changed on the disk after it was attached', () => {
  test('is refused with the reason, and what is written behind it goes out', async () => {
    const path = join(tmpdir(), `orcamento-${process.pid}.txt`)
    await writeFile(path, 'R$ 40')
    await page.locator('input[type=file]').first().setInputFiles(path)
    await page.getByRole('list', { name: 'Arquivos para enviar' }).waitFor()
    await writeFile(path, 'R$ 45, com frete')
    await page.keyboard.press('Enter')
    const reason = page.getByText('O arquivo mudou ou não está mais no lugar: anexe de novo.')
    await reason.waitFor()
    await field().fill('depois do arquivo')
    await page.keyboard.press('Enter')
    await waitForArrival(text => text.endsWith('depois do arquivo'))
    await page.getByRole('button', { name: 'Descartar', exact: true }).click()
    await reason.waitFor({ state: 'detached' })
    await rm(path)
  })
})

describe('spec 1 §5: recorded audio', () => {
  test('is recorded, paused, heard and sent; it plays on the phone as a voice note with its length and shape', async () => {
    await page.getByRole('button', { name: 'Gravar áudio' }).press('Enter')
    const recorder = page.getByRole('group', { name: 'Gravação de áudio' })
    await recorder.getByText('0:02').waitFor()
    await recorder.getByRole('button', { name: 'Pausar' }).click()
    await recorder.getByRole('button', { name: 'Ouvir' }).click()
    await recorder.getByRole('button', { name: 'Parar de ouvir' }).waitFor()
    await recorder.getByRole('button', { name: 'Continuar gravando' }).click()
    await recorder.getByText('0:03').waitFor()
    await recorder.getByRole('button', { name: 'Enviar áudio' }).click()
    const note = () => listFilesOnPhone(lucia, shop).findLast(file => file.type === 'voice')
    await waitUntil('it is on the phone', () => note() !== undefined)
    const { mimetype, seconds, waveform } = note() ?? {}
    expect([mimetype, (seconds ?? 0) >= 3, waveform?.length]).toEqual(['audio/ogg; codecs=opus', true, 64])
    expect(Math.max(...(waveform ?? []))).toBe(100)
    const line = lucia.lines().find(each => each.bubbles(50).some(bubble => bubble.kind === 'voice'))
    const bubble = line?.bubbles(50).findLast(each => each.kind === 'voice')
    const file = await line?.file(bubble?.id ?? '')
    expect(await measureSeconds(page, file?.bytes ?? new Uint8Array())).toBeGreaterThan(2.5)
  })

  test('thrown away it leaves nothing behind', async () => {
    const before = await bubbles(page).count()
    await page.getByRole('button', { name: 'Gravar áudio' }).click()
    // The field has the focus with the press, not a frame later: the first letters are for the customer.
    const label = await page.getByRole('button', { name: 'Descartar gravação' }).evaluate(button => {
      if (button instanceof HTMLElement) button.click()
      return document.activeElement?.getAttribute('placeholder')
    })
    expect(label).toBe('Escreva uma mensagem')
    expect(await bubbles(page).count()).toBe(before)
  })

  test('under 10000 bytes is discarded', async () => {
    await page.getByRole('button', { name: 'Gravar áudio' }).click()
    const send = page.getByRole('button', { name: 'Enviar áudio' })
    await waitUntil('the microphone is there', () => send.isEnabled())
    await send.click()
    await page.getByText('Gravação muito curta: não foi enviada.').first().waitFor()
  })
})

describe('spec 1 §2, §7: a contact card', () => {
  test('is searched for, chosen and sent by keyboard', async () => {
    await page.getByRole('button', { name: 'Contato, modelo e mais' }).press('Enter')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Enviar contato' })
    await dialog.getByLabel('Nome ou número').fill('pad')
    await dialog.getByRole('button', { name: /Padaria Estrela/ }).press('Enter')
    await dialog.getByRole('button', { name: 'Enviar contato' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await bubbles(page).getByText('Padaria Estrela').waitFor()
    await waitUntil('the card is on the phone', () =>
      lucia.whatsapp
        .chat(shop.whatsapp)
        .some(
          ({ content }) => content?.type === 'contacts' && content.contacts.some(card => card.vcard.includes('waid=')),
        ),
    )
  })
})

describe('choices where nothing can be pressed', () => {
  test('are lines with numbers under their headings, as they are shown before and arrive', async () => {
    await page.getByRole('button', { name: 'Contato, modelo e mais' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Oferecer opções' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Oferecer opções' })
    await dialog.getByLabel('Mensagem').fill('Qual loja, {{name}}?')
    await dialog.getByLabel('Opções').fill('# Centro\nRua XV\n# Praia\nBeira-mar')
    await dialog.getByText('2 - Beira-mar').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('Descartar o que não foi salvo?').waitFor()
    await dialog.getByRole('button', { name: 'Continuar editando' }).press('Enter')
    await dialog.getByRole('button', { name: 'Enviar' }).press('Enter')
    await waitForArrival(text =>
      /Qual loja, Dona Lúcia[\s\S]*\*Centro\*\n1 - Rua XV\n\n\*Praia\*\n2 - Beira-mar$/.test(text),
    )
  })
})

describe('decisions §7: the official API', () => {
  let zeca: CustomerPagePhone

  test('says how long free words are still taken', async () => {
    zeca = world.simulator.find('Mercearia do Zé') as CustomerPagePhone
    const { cloud } = world.simulator
    if (!cloud) throw new Error('The world has no official number')
    await zeca.cloud.send(cloud.business, { type: 'text', text: 'Oi, é o Zé' })
    await waitUntil('the message is there', async () => {
      const rows = await sql`
        select 1 from contact_channel h join whatsapp w on w.id = h.whatsapp_id
        where w.api = 'cloud_api' and h.last_inbound_at > now() - interval '5 minutes'`
      return rows.length > 0
    })
    const [ticket] = await sql<{ id: number }[]>`
      select t.id from ticket t join contact c on c.id = t.contact_id join whatsapp w on w.id = t.whatsapp_id
      where w.api = 'cloud_api' and c.name like 'Mercearia%' and t.status <> 'closed' order by t.id desc limit 1`
    await sql`update ticket set status = 'open', user_id = (select id from "user" where profile = 'admin' order by id limit 1),
      version = version + 1 where id = ${ticket?.id ?? 0}`
    await page.goto(`${world.url}/tickets/${ticket?.id}`)
    await page.getByText(/Resposta livre por mais 2[34] horas, até amanhã às/).waitFor()
  })

  test('choices are offered from the palette by keyboard, seen as they will be pressed, pressed, and answered', async () => {
    await openChoices()
    const dialog = page.getByRole('dialog', { name: 'Oferecer opções' })
    await dialog.getByLabel('Mensagem').fill('Como prefere pagar?')
    await dialog.getByLabel('Opções').fill('Pix\nPix')
    await dialog.getByRole('button', { name: 'Enviar' }).press('Enter')
    await dialog.getByText('Cada opção com um nome diferente').waitFor()
    await dialog.getByLabel('Opções').fill('Pix\nBoleto')
    expect(await dialog.locator('.m-presses').getByText('2 - Boleto').count()).toBe(1)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Enviar' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await bubbles(page).getByText('2 - Boleto').waitFor()
    const { cloud } = world.simulator
    if (!cloud) throw new Error('The world has no official number')
    await waitUntil('they are buttons on the phone', () =>
      zeca.cloud
        .chat(cloud.business)
        .some(
          ({ content }) => content.type === 'interactive' && content.kind === 'button' && content.options.length === 2,
        ),
    )
    await zeca.cloud.send(cloud.business, { type: 'button_reply', id: '2', title: '2 - Boleto' })
    await waitUntil(
      'the answer is the choice',
      async () =>
        (await bubbles(page)
          .getByText(/^2 - Boleto/)
          .count()) > 0,
    )
  })

  test('after 24 hours only a template goes out: found, filled in with preview, sent and shown as a template', async () => {
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours'
      where whatsapp_id = (select id from whatsapp where api = 'cloud_api' and deleted_at is null order by id limit 1)`
    await page.reload()
    await page.getByText(/Já se passaram mais de 24 horas/).waitFor()
    await page.getByRole('button', { name: 'Escolher modelo' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Procurar modelo').fill('boleto')
    await dialog.getByRole('button', { name: /boas_vindas/ }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: /boleto_disponivel/ }).press('Enter')
    await dialog.getByLabel('Texto: 1º valor').fill('{{name}}')
    await dialog.getByLabel('Texto: 2º valor').fill('R$ 84,90')
    await dialog.getByRole('button', { name: 'Enviar modelo' }).press('Enter')
    await dialog.getByText('Escolha o arquivo do título').waitFor()
    await dialog.getByText('Preencha este campo').first().waitFor()
    await dialog.getByLabel('Texto: 3º valor').fill('sexta')
    await dialog.getByLabel(/Botão “Ver boleto”/).fill('84')
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'boleto.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF'),
    })
    await dialog.getByRole('button', { name: 'boleto.pdf' }).waitFor()
    await dialog.getByText(/Oi, Mercearia do Zé.*Seu boleto de R\$ 84,90 vence em sexta\./).waitFor()
    await dialog.getByRole('button', { name: 'Enviar modelo' }).click()
    await dialog.waitFor({ state: 'detached' })
    await bubbles(page)
      .getByText(/Seu boleto de R\$ 84,90 vence em sexta\./)
      .waitFor()
    await bubbles(page).getByText('Ver boleto').waitFor()
    const { cloud } = world.simulator
    await waitUntil("it is on the customer's phone with its file", () =>
      Boolean(
        cloud &&
          zeca.cloud
            .chat(cloud.business)
            .some(({ content }) => content.type === 'template' && content.text.includes('84,90') && content.file),
      ),
    )
  })
})

describe('at 390 px', () => {
  test('everything is in reach of a finger: words, files, recording, signature', async () => {
    const phone = await signIn(browser, world, { width: 390, height: 844, touch: true })
    phone.page.setDefaultTimeout(15_000)
    await open(phone.page, /Dona Lúcia/)
    const own = phone.page.getByPlaceholder('Escreva uma mensagem')
    for (const button of await phone.page.locator('.k-tools button').all()) {
      const box = await button.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    }
    await phone.page.getByRole('button', { name: 'Contato, modelo e mais' }).tap()
    await phone.page.getByRole('menuitemradio', { name: /Assinar como/ }).tap()
    await own.fill('sem assinatura')
    await phone.page.getByRole('button', { name: 'Enviar', exact: true }).tap()
    const sent = Date.now()
    await waitForArrival(text => text === 'sem assinatura')
    // Two presses on one place within half a second are a double press: the second is for the button that stood there.
    await waitUntil('a further press is one of its own', () => Date.now() - sent > 700)
    await phone.page.getByRole('button', { name: 'Gravar áudio' }).tap()
    await phone.page.getByText('0:02').waitFor()
    const sending = await phone.page.getByRole('button', { name: 'Enviar áudio' }).boundingBox()
    expect((sending?.x ?? 0) + (sending?.width ?? 0)).toBeLessThanOrEqual(390)
    expect(await findAccessibilityIssues(phone.page)).toEqual([])
    await phone.page.getByRole('button', { name: 'Enviar áudio' }).tap()
    await own.waitFor()
    await phone.page.getByRole('button', { name: 'Contato, modelo e mais' }).tap()
    const chosen = phone.page.waitForEvent('filechooser')
    await phone.page.getByRole('menuitem', { name: 'Tirar foto' }).tap()
    const camera = await chosen
    const asksFor = (name: string) => camera.element().getAttribute(name)
    expect([await asksFor('capture'), await asksFor('accept')]).toEqual(['environment', 'image/*'])
    const { name, mime, bytes } = makePicture('foto.png', 0x2c53a4, 0xf0b23a)
    await camera.setFiles({ name, mimeType: mime, buffer: Buffer.from(bytes) })
    await phone.page.getByRole('button', { name: 'Enviar', exact: true }).tap()
    await waitUntil('the picture arrived', () => listFilesOnPhone(lucia, shop).at(-1)?.type === 'image')
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test('nothing complained on the way, and axe finds nothing serious with files, suggestions and emojis open', async () => {
  await open(page, /Dona Lúcia/)
  await page.keyboard.type('*{{')
  await page.getByRole('listbox', { name: 'Palavras que se preenchem' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await field().fill('')
  await choose(page, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await page.getByRole('button', { name: 'Emojis' }).click()
  await page.getByLabel('Procurar emoji').fill('polegar')
  await page
    .getByRole('button', { name: /polegar para cima/ })
    .first()
    .waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  expect(desk.complaints.filter(text => !text.includes('ERR_UPLOAD_FILE_CHANGED'))).toEqual([])
})

function find(name: string): CompanyPagePhone {
  return world.simulator.find(name) as CompanyPagePhone
}

async function open(where: Page, name: RegExp) {
  await visit(where, '/tickets')
  await where.getByRole('option', { name }).first().click()
  await where.getByPlaceholder('Escreva uma mensagem').waitFor()
  await bubbles(where).first().waitFor()
  if ((await where.viewportSize())?.width !== 390) await where.getByPlaceholder('Escreva uma mensagem').focus()
}

function field(): Locator {
  return page.getByPlaceholder('Escreva uma mensagem')
}

function readAs(): Locator {
  return page.locator('.k-read-as')
}

function bubbles(where: Page): Locator {
  return where.getByRole('region', { name: 'Mensagens' }).locator('.m-bubble')
}

async function choose(where: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) {
  await where.locator('input[type=file]').first().setInputFiles(files)
}

async function waitForArrival(is: (text: string) => boolean) {
  await waitUntil("it is on the customer's phone", () => listTextsOnPhone(lucia, shop).some(is))
}

/** How long a browser says that a sound is, after decoding all of it. */
async function measureSeconds(where: Page, bytes: Uint8Array): Promise<number> {
  return where.evaluate(async data => {
    const context = new AudioContext()
    const { duration } = await context.decodeAudioData(Uint8Array.from(data).buffer)
    await context.close()
    return duration
  }, Array.from(bytes))
}

/** The words that are marked in the field. */
function findMarked(): Promise<string> {
  return field().evaluate(element => {
    const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement
    return value.slice(selectionStart, selectionEnd)
  })
}

async function openChoices(): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Buscar ou executar uma ação' }).fill('oferecer')
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Oferecer opções/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Oferecer opções' }).waitFor()
}
