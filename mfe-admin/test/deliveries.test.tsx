// Where nothing was sent to a webhook a test can be.
import { expect, test } from 'bun:test'
import { act } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import { Deliveries } from '../src/integrations/Deliveries.tsx'

const tested: number[] = []
const show = preparePage((_, { pathname }) =>
  Response.json(pathname.endsWith('/deliveries') ? { deliveries: [], nextCursor: null } : []),
)

test('where nothing was sent yet a test is one press away', async () => {
  await show(<Deliveries webhook={{ id: 4, name: 'Loja' } as never} onTest={() => tested.push(4)} onClose={() => {}} />)
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  act(() => document.querySelector<HTMLButtonElement>('.b-empty button')?.click())
  expect(tested).toEqual([4])
})
