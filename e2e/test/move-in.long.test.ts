// Moving in with the page, as an administrator does it: a dump is chosen, sent, looked at, brought and taken back; the page is left and
// opened again in the middle, and a colleague goes on.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'

const { page } = await openTestSystem()
const DUMP = join(import.meta.dir, '../../backend/test/fixtures/move-in/ticketz.sql')
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function choose(path: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(path)
}

test('a dump of two companies: one is chosen, looked at, brought with a press and a second one, and undone', async () => {
  await visit(page, '/integrations?move-in')
  await button('Enviar e conferir').click()
  await page.getByText('Escolha o arquivo do dump.').waitFor()
  await page.locator('.b-page .p-dropdown').click()
  await page.getByRole('option', { name: 'Ticketz' }).click()
  await choose(DUMP)
  await button('Enviar e conferir').dblclick()
  await page.getByText('De qual empresa?').waitFor()
  await page.reload()
  await page.getByText('De qual empresa?').waitFor()
  await button('Ler só esta').click()
  await page.getByText('O que viria').waitFor()
  await page.getByText('o número não é um telefone (1)').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await button('Trazer agora').dblclick()
  await page.getByText('Mudança concluída').waitFor({ timeout: 60_000 })
  await page.getByText('As mensagens citam 1 arquivos').waitFor()
  await button('Desfazer').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('apagar')
  await dialog.getByRole('button', { name: 'Desfazer' }).click()
  await page.getByText('Mudanças anteriores').waitFor({ timeout: 60_000 })
  await button('Enviar e conferir').waitFor()
})

test('what is no dump is refused in words, and thrown away', async () => {
  await choose(join(import.meta.dir, '../../package.json'))
  await button('Enviar e conferir').click()
  await page.getByText('Não deu para ler').waitFor()
  await page.getByText('Não há nada legível ali').waitFor()
})
