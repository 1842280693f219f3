// Contacts in bulk: sheets, the chosen ones, and what deletes many.
import type { Screen, ScreenContext } from '../stage.ts'
import { LUCIA, locateButton, mockAnswer, waitForDialog } from '../steps.ts'

const SHEET = `nome;celular;e-mail;grupo;responde?;vendedor
Açougue Bom Corte;31 98655-4410;bom@corte.example;Recorrente;sim;Caio
Bar da Praça;(31) 99177-0032;;Restaurante;sim;Luana
Casa de Massas Lia;5531988012244;lia@massas.example;Atacado, VIP;não;Caio
Padaria Estrela;31 98450-7712;padaria@estrela.example;Padaria;sim;Luana
Quitanda Boa Hora;31 99008-3316;;Feira livre;sim;Caio
X;31 98111-1111;;;sim;Caio
Número curto;3199-87;;;sim;Caio
Ana;31 98222-2222;ana@@doce;;sim;Luana
Beto;31 98333-3333;;;talvez;Luana
`

const CARDS = [
  ['Açougue Bom Corte', '31 98655-4410', '31 3333-2202'],
  ['Bar da Praça', '(31) 99177-0032'],
]
  .map(([name, ...numbers]) =>
    ['BEGIN:VCARD', `FN:${name}`, ...numbers.map(one => `TEL:${one}`), 'END:VCARD'].join('\n'),
  )
  .join('\n')

export const CONTACT_SHEETS: readonly Screen[] = [
  { name: 'contacts-chosen', steps: choose },
  { name: 'contacts-import-begin', steps: stage => openFromSheets(stage, 'Importar contatos') },
  {
    name: 'contacts-import',
    steps: async stage => {
      await openFromSheets(stage, 'Importar contatos')
      await bring(stage, 'contatos-novembro.csv', SHEET)
    },
  },
  {
    name: 'contacts-import-area',
    steps: async stage => {
      await openFromSheets(stage, 'Importar contatos')
      await bring(stage, 'clientes.csv', 'Nome;Telefone\nPadaria Estrela;98655-4410\nBar da Praça;31 99177-0032\n')
    },
  },
  {
    name: 'contacts-import-several',
    steps: async stage => {
      await openFromSheets(stage, 'Importar contatos')
      await bring(stage, 'contatos.vcf', CARDS)
      const box = await waitForDialog(stage)
      await box.getByRole('checkbox', { name: /mais de um número/ }).check()
      await box.getByText('+55 31 3333-2202').waitFor()
    },
  },
  {
    name: 'contacts-import-phone',
    steps: stage => openFromSheets(stage, 'Importar da agenda do celular'),
  },
  { name: 'contacts-export', steps: stage => openFromSheets(stage, 'Exportar contatos') },
  { name: 'contacts-delegation', steps: stage => openFromSheets(stage, 'Delegação') },
  {
    name: 'contacts-clear',
    steps: async stage => {
      await mockAnswer(stage, /\/contacts\/clear/, () => ({ deleted: 1284, total: 3825 }))
      await open(stage)
      await locateButton(stage, 'Mais opções').first().click()
      await stage.page.getByRole('menuitem', { name: 'Limpar contatos' }).click()
      await waitForDialog(stage)
    },
  },
  { name: 'contacts-bulk-tags', steps: stage => act(stage, 'Tags') },
  { name: 'contacts-bulk-delegate', steps: stage => act(stage, 'Delegar') },
  {
    name: 'contacts-bulk-remove',
    steps: async stage => {
      await mockAnswer(stage, /\/contacts\/bulk/, () => ({ contacts: 42, tickets: 118, kept: 3 }))
      await act(stage, 'Apagar')
    },
  },
]

async function open(stage: ScreenContext) {
  await stage.open('/contacts')
  await stage.page.getByText(LUCIA).first().waitFor()
}

async function openFromSheets(stage: ScreenContext, label: string) {
  await open(stage)
  await locateButton(stage, 'Planilhas').click()
  await stage.page.getByRole('menuitem', { name: label, exact: true }).click()
  await waitForDialog(stage)
}

async function bring(stage: ScreenContext, name: string, text: string) {
  const box = await waitForDialog(stage)
  await box.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await box.getByText('O que vai acontecer').first().waitFor()
}

/** Two of them, by a long press on phones. */
async function choose(stage: ScreenContext) {
  await open(stage)
  const rows = stage.page.getByRole('checkbox', { name: /^Escolher / })
  if (stage.phone) {
    const card = stage.page.getByText(LUCIA).first()
    await card.dispatchEvent('pointerdown', { pointerType: 'touch' })
    await stage.page
      .getByText(/escolhido/)
      .first()
      .waitFor()
    return
  }
  await rows.nth(1).check()
  await rows.nth(2).check()
  await stage.page.getByText('2 escolhidos').waitFor()
}

async function act(stage: ScreenContext, label: string) {
  await choose(stage)
  await stage.page
    .getByRole('region', { name: 'O que fazer com os escolhidos' })
    .getByRole('button', { name: label })
    .click()
  await waitForDialog(stage)
}
