// What is written, chosen and attached before it is sent.
import type { GroupInfo } from '@balcao/contract'
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, openConversation, performMessageAction, waitForDialog } from '../steps.ts'

const STRANGER = { contactId: null, profilePicUrl: null, isAdmin: false, isMe: false }
const GROUP: GroupInfo = {
  subject: 'Entregas zona norte',
  desc: '',
  participants: [
    { ...STRANGER, id: '1@lid', name: 'Rui Prado', number: '5531988880002' },
    { ...STRANGER, id: '2@lid', name: 'Padaria Estrela', number: '553133332201' },
    { ...STRANGER, id: '3@lid', name: '', number: '5531977770003' },
    { ...STRANGER, id: '4@lid', name: '', number: null },
  ],
}

export const COMPOSER: readonly Screen[] = [
  {
    name: 'composer-quick-answers',
    steps: async stage => {
      await openConversation(stage)
      await write(stage, '/')
      await stage.page.getByText('boleto-prazo').first().waitFor()
    },
  },
  {
    name: 'composer-choices',
    steps: async stage => {
      await openConversation(stage)
      await locateButton(stage, 'Contato, modelo e mais').click()
      await stage.page.getByRole('menuitem', { name: 'Oferecer opções' }).click()
      const dialog = await waitForDialog(stage)
      await dialog.getByLabel('Mensagem').fill('Qual loja fica melhor para retirar, {{name}}?')
      await dialog.getByLabel('Opções').fill('# Centro\nRua XV de Novembro\nPraça da Matriz\n# Praia\nBeira-mar')
      await dialog.getByText('3 - Beira-mar').waitFor()
    },
  },
  {
    name: 'composer-fill-in',
    fresh: true,
    steps: async stage => {
      await openConversation(stage)
      await write(stage, 'O conserto fica em [[valor]] e sai na [[dia]].')
      await locateButton(stage, 'Enviar').click()
      await stage.page.getByText('Preencha “valor” antes de enviar.').first().waitFor()
    },
  },
  {
    name: 'composer-comment',
    steps: async stage => {
      await openConversation(stage)
      await write(stage, '-- Rafael, posso tirar os juros?')
      await locateButton(stage, 'Comentar').waitFor()
    },
  },
  {
    name: 'composer-members',
    steps: async stage => {
      await stage.page.route(/\/contact\/group\/\d+/, route => route.fulfill({ json: GROUP }))
      await openConversation(stage, 'Entregas zona norte')
      await write(stage, 'Bom dia, @')
      await stage.page.getByRole('listbox').getByText('Rui Prado').waitFor()
    },
  },
  {
    name: 'composer-lines',
    state: true,
    steps: async stage => {
      await openConversation(stage)
      await write(
        stage,
        ['Bom dia, Dona Lúcia!', '', 'O boleto novo:', '- vence na sexta', '- sem juros', 'Até!'].join('\n'),
      )
    },
  },
  {
    name: 'composer-emojis',
    steps: async stage => {
      await openConversation(stage)
      await locateButton(stage, /Emoji|emoji/)
        .first()
        .click()
    },
  },
  {
    name: 'composer-files',
    // A comment, which stands in the composer from before, takes no files.
    fresh: true,
    steps: async stage => {
      await openConversation(stage)
      await stage.page
        .locator('.k-composer input[type=file]')
        .first()
        .setInputFiles([
          {
            name: 'Tabela de preços.pdf',
            mimeType: 'application/pdf',
            buffer: Buffer.from('%PDF-1.4 tabela '.repeat(900)),
          },
          { name: 'fornada.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
        ])
      await stage.page.getByText('Tabela de pre', { exact: false }).first().waitFor()
    },
  },
  {
    name: 'composer-reply',
    steps: async stage => {
      await openConversation(stage)
      await performMessageAction(stage, 'Responder')
    },
  },
]

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function write(stage: ScreenContext, text: string) {
  await stage.page.getByRole('textbox', { name: /Mensagem para/ }).fill(text)
}
