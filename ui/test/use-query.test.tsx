import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { ApiError } from '../src/api/index.ts'
import { useQuery } from '../src/ask/use-query.ts'
import { session } from '../src/session/store.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen } = await import('@testing-library/react')

afterEach(cleanup)

test.each([
  ['got no answer for want of a line is asked again when there is one', new ApiError('OFFLINE', 0, ''), 'veio 2'],
  ['was refused is not', new ApiError('ERR_NO_PERMISSION', 403, ''), 'ERR_NO_PERMISSION'],
])('what %s', async (_, failure, shown) => {
  let requests = 0
  const ask = async () => {
    requests++
    if (session.connection.state !== 'live') throw failure
    return `veio ${requests}`
  }
  session.connection.state = 'offline'
  render(<Answer ask={ask} />)
  await screen.findByText(failure.code)
  await act(async () => {
    session.connection.state = 'live'
  })
  expect(await screen.findByText(shown)).toBeTruthy()
})

test('an answer slower than who asks again is shown, and then asked for once more', async () => {
  const held: PromiseWithResolvers<string>[] = []
  const ask = () => {
    const answer = Promise.withResolvers<string>()
    held.push(answer)
    return answer.promise
  }
  render(<Answer ask={ask} />)
  const readLast = () => screen.getByRole('meter').getAttribute('aria-label')
  const press = () => act(() => screen.getByRole('button').click())
  for (let n = 0; n < 3; n++) press()
  expect(held).toHaveLength(1)
  await act(async () => held[0]?.resolve('veio devagar'))
  expect(held).toHaveLength(2)
  expect(readLast()).toBe('veio devagar')
  press()
  await act(async () => held[1]?.resolve('veio de novo'))
  expect(held).toHaveLength(3)
  // What gets no answer at all holds nothing up.
  setSystemTime(Date.now() + 31_000)
  try {
    press()
  } finally {
    setSystemTime()
  }
  expect(held).toHaveLength(4)
  await act(async () => held[3]?.resolve('a última'))
  await act(async () => held[2]?.resolve('tarde demais'))
  expect(readLast()).toBe('a última')
})

test('what hangs on a line that is gone is asked anew when it is back', async () => {
  let requests = 0
  const ask = () => (++requests === 1 ? new Promise<string>(() => {}) : Promise.resolve('veio'))
  session.connection.state = 'offline'
  render(<Answer ask={ask} />)
  await act(async () => {
    session.connection.state = 'live'
  })
  expect(await screen.findByText('veio')).toBeTruthy()
})

test('what is on its way when the line comes for the first time is not asked twice', async () => {
  let requests = 0
  const answer = Promise.withResolvers<string>()
  const ask = () => {
    requests++
    return answer.promise
  }
  session.connection.state = 'connecting'
  render(<Answer ask={ask} />)
  await act(async () => {
    session.connection.state = 'live'
  })
  await act(async () => answer.resolve('veio'))
  expect([await screen.findByText('veio'), requests]).toEqual([expect.anything(), 1])
})

function Answer({ ask }: { readonly ask: () => Promise<string> }) {
  const { now, last, error, again } = useQuery('one', ask)
  return (
    <>
      <p>{error instanceof ApiError ? error.code : now}</p>
      <meter aria-label={last ?? ''} />
      <button type="button" onClick={again} />
    </>
  )
}
