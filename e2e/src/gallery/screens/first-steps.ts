// The first steps of a new company, and what its trade begins with.
import type { Screen, ScreenContext } from '../stage.ts'
import { makeFailedScreen, mockAnswer } from '../steps.ts'

const CALL = /\/first-steps\/?(\?|$)/

async function show(stage: ScreenContext, answer: Parameters<typeof mockAnswer>[2]): Promise<void> {
  await mockAnswer(stage, CALL, answer)
  await stage.open('/first-steps')
  await stage.page.getByText('Comece com o que é do seu ramo').waitFor()
}

export const FIRST_STEPS: readonly Screen[] = [
  {
    name: 'first-steps',
    fresh: true,
    steps: stage => show(stage, () => ({ done: ['connection'], isOver: false, trade: null, preset: 0 })),
  },
  {
    name: 'first-steps-preset',
    fresh: true,
    state: true,
    steps: stage =>
      show(stage, () => ({ done: ['connection', 'queues', 'people'], isOver: true, trade: 'shop', preset: 12 })),
  },
  makeFailedScreen('first-steps-failed', {
    calls: CALL,
    path: '/first-steps',
    text: 'Os primeiros passos não carregaram',
  }),
]
