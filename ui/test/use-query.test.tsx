import { afterEach, expect, test } from 'bun:test'
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

function Answer({ ask }: { readonly ask: () => Promise<string> }) {
  const { now, error } = useQuery('one', ask)
  return <p>{error instanceof ApiError ? error.code : now}</p>
}
