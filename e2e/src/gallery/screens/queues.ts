// The queues.
import type { Screen } from '../stage.ts'
import { locateButton, mockAnswer, mockFailure, waitForDialog } from '../steps.ts'

const LIST = /\/queue\/?(\?|$)/

export const QUEUES: readonly Screen[] = [
  {
    name: 'queues',
    steps: async stage => {
      await stage.open('/Queues')
      await stage.page.getByText('Financeiro').first().waitFor()
    },
  },
  {
    name: 'queues-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => [])
      await stage.open('/Queues')
      await stage.page.getByText('Nenhuma fila ainda').waitFor()
    },
  },
  {
    name: 'queues-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, LIST)
      await stage.open('/Queues')
      await stage.page.getByText('As filas não carregaram').waitFor()
    },
  },
  {
    name: 'queue-add',
    steps: async stage => {
      await stage.open('/Queues')
      await locateButton(stage, 'Adicionar fila').first().click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'queue-edit',
    steps: async stage => {
      await stage.open('/Queues')
      await performRowAction(stage, 'Financeiro', 'Editar')
      await stage.page.getByText('Quem recebe na vez').waitFor()
    },
  },
  {
    name: 'queue-in-use',
    steps: async stage => {
      await stage.open('/Queues')
      await performRowAction(stage, 'Financeiro', 'Excluir')
      await locateButton(stage, 'Excluir fila').click()
      await stage.page.getByText('ainda tem atendimentos').waitFor()
    },
  },
]

/** What can be done to a row, be its buttons there or behind three dots. */
export async function performRowAction(stage: Parameters<Screen['steps']>[0], name: string, word: string) {
  const label = new RegExp(`^${word} ${name}`)
  await stage.page.getByText(name).first().waitFor()
  if (stage.phone) {
    await locateButton(stage, new RegExp(`^Mais opções de ${name}`))
      .first()
      .click()
    await stage.page.getByRole('menuitem', { name: label }).click()
  } else await locateButton(stage, label).first().click()
}
