import { afterEach, describe, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { chooseAxisStep } from '../src/charts/axis-step.ts'
import { BarChart, Gauge, RingChart, ShareBars } from '../src/charts/Chart.tsx'

// After the DOM exists: the library looks for it when it is loaded.
const { act, cleanup, render, screen, within } = await import('@testing-library/react')

addTexts('dashboard', { pt, en, es })
afterEach(cleanup)

describe('charts', () => {
  const values = ['8h', '9h', '10h'].map((name, index) => ({ name, value: [4, 31, 0][index] ?? 0 }))

  test('each has its finding as its name, and its table for who cannot see it', () => {
    render(<BarChart title="pico às 9h, com 31" unit="atendimentos" values={values} />)
    const figure = screen.getByRole('figure', { name: 'pico às 9h, com 31' })
    expect(
      within(figure)
        .getAllByRole('row')
        .map(row => row.textContent),
    ).toEqual(['Nomeatendimentos', '8h4', '9h31', '10h0'])
  })

  test('bars stand over two lines that are above everything, and the lunch break says what it is', () => {
    expect([0, 1, 2, 3, 10, 11, 31, 40, 41, 99, 101, 1001].map(chooseAxisStep)).toEqual([
      1, 1, 1, 2, 5, 10, 20, 20, 50, 50, 100, 1000,
    ])
    const { container, rerender } = render(
      <BarChart title="Horas" unit="atendimentos" values={values} resting={['9h', '10h']} restingName="almoço" />,
    )
    expect(container.querySelectorAll('.bg-hover')).toHaveLength(2)
    expect(screen.getAllByText('almoço')).toHaveLength(1)
    expect([...container.querySelectorAll('[aria-hidden] .font-semibold')].map(one => one.textContent)).toEqual(['31'])
    // Nobody has the most of nothing.
    rerender(<BarChart title="Horas" unit="atendimentos" values={values.map(({ name }) => ({ name, value: 0 }))} />)
    expect(container.querySelectorAll('[aria-hidden] .font-semibold')).toHaveLength(0)
    expect(container.innerHTML).not.toMatch(/NaN|Infinity/)
  })

  test('a ring has at most five parts and the others in one, and nothing at all is no share of nothing', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ name: `Fila ${index}`, value: 10 }))
    const { container, rerender } = await act(async () => {
      await import('../src/charts/Ring.tsx')
      return render(<RingChart title="Filas" unit="tickets" values={many} />)
    })
    expect(container.querySelectorAll('li')).toHaveLength(6)
    expect(container.querySelector('ul')?.textContent).toContain('Outros 330')
    rerender(<RingChart title="Filas" unit="tickets" values={[{ name: 'Fila', value: 0 }]} />)
    expect(container.textContent).not.toContain('NaN')
  })

  test('a bar lies on its whole length, in the colour of lines, so that one sees how far it may still go', () => {
    const { container } = render(<ShareBars title="Filas" unit="tickets" values={values} />)
    const tracks = [...container.querySelectorAll('li > :last-child')]
    expect(
      tracks.map(track => [track.classList.contains('bg-line'), track.firstElementChild?.getAttribute('style')]),
    ).toEqual(['11.', '88.', '0%'].map(width => [true, expect.stringContaining(`width: ${width}`)]))
  })

  test('a gauge names its band', () => {
    const bands = ['Péssimo', 'Ótimo'].map(name => ({ name, color: '#1b7a52' }))
    render(<Gauge title="Satisfação" value={4.4} most={5} bands={bands} words="Ótimo · 4,4 de 5" />)
    expect(screen.getByRole('meter', { name: 'Satisfação' }).getAttribute('aria-valuetext')).toBe('Ótimo · 4,4 de 5')
  })
})
