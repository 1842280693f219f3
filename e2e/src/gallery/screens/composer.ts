// What is written, chosen and attached before it is sent.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, openConversation, performMessageAction } from '../steps.ts'

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
    name: 'composer-comment',
    steps: async stage => {
      await openConversation(stage)
      await write(stage, '-- Rafael, posso tirar os juros?')
      await locateButton(stage, 'Comentar').waitFor()
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
