// Contacts by sheet and in bulk, as a person does it: a sheet brought, looked at and imported, the work in the tray also after a reload,
// tags on those who were chosen, and the book cleared behind a word (decisions-2 §13, §14, §22).
import { afterAll, describe, expect, test } from 'bun:test'
import { findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'

/** Of two texts nobody says which is the name. */
const SHEET = `quem;onde;celular;grupo;vendedor
Açougue Bom Corte;Centro;31 98655-4410;Recorrente;Caio
Quitanda Boa Hora;Savassi;31 99008-3316;Feira livre;Caio
X;Centro;31 98111-1111;;Caio
`

/** As advertisements give them out, below a title. */
const LEADS = `Leads de novembro

id;full_name;phone_number
l:1;Zélia Prado;98811-2291
l:2;Yara Melo;p:+5531988112292
`

const CARDS = 'BEGIN:VCARD\nFN:Xênia Prado\nTEL:31 3333-2293\nTEL;TYPE=CELL:31 98811-2293\nEND:VCARD'

const { browser, world, desk, page } = await openTestSystem({ patienceMs: 30_000 })
await visit(page, '/contacts')
await page.getByText('Dona Lúcia Ferreira').first().waitFor()

afterAll(async () => {
  expect(desk?.complaints ?? []).toEqual([])
})

describe('§14: a sheet of contacts', () => {
  test('is looked at, its columns are chosen by hand, and it is imported without its wrong row', async () => {
    await fromSheets('Importar contatos')
    const box = page.getByRole('dialog', { name: 'Importar contatos' })
    const buffer = Buffer.from(SHEET)
    await box.locator('input[type=file]').setInputFiles({ name: 'novembro.csv', mimeType: 'text/csv', buffer })
    await box.getByText('Coluna não encontrada: escolha qual é').first().waitFor()
    await box.locator('.b-select', { has: page.getByLabel('O que é a coluna quem') }).click()
    await page.getByRole('option', { name: 'Nome', exact: true }).click()
    await box.getByRole('button', { name: 'Importar 2 contatos' }).waitFor()
    await box.getByText('Nome precisa de 2 a 50 letras').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await box.getByRole('checkbox', { name: 'Importar sem a linha com erro' }).waitFor()
    await box.getByRole('button', { name: 'Importar 2 contatos' }).click()
    await box.waitFor({ state: 'detached' })
    await page.getByText('Açougue Bom Corte').first().waitFor()
    await page.getByText('Feira livre').first().waitFor()
  })

  test('its work stands in the tray with what came of it, also after a reload', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Tarefas' }).click()
    const tray = page.getByRole('dialog', { name: 'Tarefas' })
    await tray.getByText(/Pronta, com erros · 2 novos · 1 com erro/).waitFor()
    const saved = page.waitForEvent('download')
    await tray.getByRole('button', { name: 'Baixar erros' }).click()
    expect((await saved).suggestedFilename()).toBe('linhas-com-erro.xlsx')
    await page.keyboard.press('Escape')
  })

  test('an export is a file in the tray, on another device of the same person too', async () => {
    const device = await signIn(browser, world)
    await device.page.getByRole('button', { name: 'Tarefas', exact: true }).click()
    const elsewhere = device.page.getByRole('dialog', { name: 'Tarefas' })
    await elsewhere.getByText(/2 novos/).waitFor()
    await fromSheets('Exportar contatos')
    await page.getByRole('button', { name: 'Exportar', exact: true }).click()
    await page.getByRole('button', { name: 'Tarefas', exact: true }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Baixar contatos.xlsx' }).first().click()
    expect((await saved).suggestedFilename()).toBe('contatos.xlsx')
    await page.keyboard.press('Escape')
    const there = device.page.waitForEvent('download')
    await elsewhere.getByRole('button', { name: 'Baixar contatos.xlsx' }).first().click()
    expect((await there).suggestedFilename()).toBe('contatos.xlsx')
    await device.close()
  })
})

describe('§24: a sheet of another program', () => {
  test('is understood as it is; numbers without an area code say so, and take the one that is typed', async () => {
    await fromSheets('Importar contatos')
    const box = page.getByRole('dialog', { name: 'Importar contatos' })
    const buffer = Buffer.from(LEADS)
    await box.locator('input[type=file]').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer })
    await box.getByText('Falta o DDD').waitFor()
    await box.getByRole('button', { name: 'Importar 1 contato', exact: true }).waitFor()
    await box.getByLabel('DDD de quem está sem').fill('20')
    await box.getByText('Não há este DDD no Brasil.').waitFor()
    await box.getByLabel('DDD de quem está sem').fill('31')
    await box.getByRole('button', { name: 'Importar 2 contatos' }).waitFor()
    expect(await box.getByText('Falta o DDD').count()).toBe(0)
    expect(await box.getByLabel('DDD de quem está sem').inputValue()).toBe('31')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await box.getByRole('button', { name: 'Importar 2 contatos' }).click()
    await box.waitFor({ state: 'detached' })
    await page.getByText('Zélia Prado').first().waitFor()
    await page.getByText('+55 31 98811-2291').first().waitFor()
  })
})

describe('§14: cards of a phone', () => {
  test('are shown as they will be, and a contact gets all its numbers when that is chosen, by keyboard too', async () => {
    await fromSheets('Importar contatos')
    const box = page.getByRole('dialog', { name: 'Importar contatos' })
    const buffer = Buffer.from(CARDS)
    await box.locator('input[type=file]').setInputFiles({ name: 'agenda.vcf', mimeType: 'text/vcard', buffer })
    const all = box.getByRole('checkbox', { name: '1 linha tem mais de um número: guardar todos no contato' })
    await box.getByRole('cell', { name: '+55 31 98811-2293', exact: true }).waitFor()
    await all.focus()
    await page.keyboard.press('Space')
    await box.getByRole('cell', { name: '+55 31 98811-2293, +55 31 3333-2293' }).waitFor()
    expect(await all.evaluate(node => node === document.activeElement)).toBe(true)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await box.getByRole('button', { name: 'Importar 1 contato', exact: true }).click()
    await box.waitFor({ state: 'detached' })
    await page.getByText('Xênia Prado').first().waitFor()
  })
})

describe('§22: several contacts', () => {
  test('are chosen, and given a tag', async () => {
    const row = page.getByRole('row', { name: /Açougue Bom Corte/ })
    await page.setViewportSize({ width: 1024, height: 768 })
    const before = await row.boundingBox()
    await row.getByRole('checkbox').check()
    const bar = page.getByRole('region', { name: 'O que fazer com os escolhidos' })
    // The bar is no higher than the tools it stands for: no row moves from under the pointer.
    await bar.waitFor()
    expect(await row.boundingBox()).toEqual(before)
    await page.setViewportSize({ width: 1440, height: 900 })
    await bar.getByRole('button', { name: 'Tags' }).click()
    const box = page.getByRole('dialog', { name: 'Tags dos escolhidos' })
    await box.getByRole('checkbox', { name: 'Feira livre' }).check()
    await box.getByRole('button', { name: 'Colocar em 1 contato' }).click()
    await row.getByText('Feira livre').waitFor()
    await bar.waitFor({ state: 'detached' })
  })
})

describe('§14: clearing', () => {
  test('says how many go, and waits for the word', async () => {
    await page.getByRole('button', { name: 'Mais opções' }).first().click()
    await page.getByRole('menuitem', { name: 'Limpar contatos' }).click()
    const box = page.getByRole('dialog', { name: 'Limpar contatos?' })
    const go = box.getByRole('button', { name: /^Apagar \d+ contato/ })
    expect(await go.isDisabled()).toBe(true)
    await box.getByRole('textbox').fill('apagar')
    await go.click()
    await box.waitFor({ state: 'detached' })
    await page.getByText('Açougue Bom Corte').first().waitFor({ state: 'detached' })
    await page.getByText('Dona Lúcia Ferreira').first().waitFor()
  })
})

async function fromSheets(label: string) {
  await page.getByRole('button', { name: 'Planilhas' }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}
