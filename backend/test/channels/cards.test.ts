// Cards whose form every way to WhatsApp tells alike: carts, charges, answers of forms.
import { describe, expect, test } from 'bun:test'
import {
  buildChargeCard,
  buildFormCard,
  buildOrderCard,
  parseQuantity,
} from '../../src/messaging/channels/shared/cards.ts'

describe('answers of a form', () => {
  const fieldsOf = (value: unknown) => buildFormCard(value).fields

  test('lists, objects and objects in lists are told by their path', () => {
    expect(
      fieldsOf(
        JSON.stringify({
          flow_token: 'unused',
          nome: 'Ana',
          dias: ['seg', 'qua'],
          entrega: { rua: 'Rua A', casa: { numero: 7 } },
          pets: [{ nome: 'Rex' }, { nome: 'Mia' }],
          aceita: true,
          vazio: null,
          nada: '',
        }),
      ),
    ).toEqual([
      { name: 'nome', value: 'Ana' },
      { name: 'dias', value: 'seg, qua' },
      { name: 'entrega · rua', value: 'Rua A' },
      { name: 'entrega · casa · numero', value: '7' },
      { name: 'pets · 1 · nome', value: 'Rex' },
      { name: 'pets · 2 · nome', value: 'Mia' },
      { name: 'aceita', value: '✓' },
    ])
  })

  test('an address stands in its values, names of the form builder lose their numbers', () => {
    expect(fieldsOf({ saved_address_id: '1', values: { address: 'Rua A, 7', city: 'BH' } })).toEqual([
      { name: 'address', value: 'Rua A, 7' },
      { name: 'city', value: 'BH' },
    ])
    expect(fieldsOf({ screen_0_Como_foi_0: '0_Muito_bom', screen_1_Nota_2: ['1_Dez', '0_Nove'] })).toEqual([
      { name: 'Como foi', value: 'Muito bom' },
      { name: 'Nota', value: 'Dez, Nove' },
    ])
  })

  test('what is no JSON is an answer by itself, and none is too long, too many or too deep', () => {
    expect(buildFormCard('às dez', 'Horário')).toEqual({ kind: 'form', title: 'Horário\nàs dez', fields: [] })
    expect(fieldsOf({ texto: 'x'.repeat(60_000) })[0]?.value).toHaveLength(2001)
    expect(fieldsOf(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`c${n}`, n])))).toHaveLength(200)
    let deep: unknown = 'fundo'
    for (let n = 0; n < 10_000; n++) deep = { a: deep }
    expect(fieldsOf(deep)).toEqual([])
    expect(fieldsOf(`${'{"values":'.repeat(60_000)}1${'}'.repeat(60_000)}`)).toEqual([])
    // Its length counts once, not once for every answer under it.
    const name = `screen_0_${'x'.repeat(400_000)}`
    const empty = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [n, '']))
    expect(fieldsOf({ [name]: { ...empty, fim: 'sim' } })).toMatchObject([{ value: 'sim' }])
  })
})

test('a cart is summed only where every price is one, all of one currency; a thousand lines are counted and a hundred told', () => {
  const line = (amount: number | null, currency = 'BRL', quantity = 1) => ({
    name: 'p',
    quantity,
    price: amount === null ? null : { amount, currency },
  })
  expect(buildOrderCard([line(39.9, 'BRL', 3), line(40.2)], {})).toMatchObject({
    count: 4,
    total: { amount: 159.9, currency: 'BRL' },
  })
  expect(buildOrderCard([line(10), line(10, 'USD')], {}).total).toBeNull()
  expect(buildOrderCard([line(10), line(null)], {}).total).toBeNull()
  expect(buildOrderCard([], {}).total).toBeNull()
  const long = buildOrderCard(
    Array.from({ length: 1000 }, () => line(1)),
    {},
  )
  expect([long.count, long.lines.length, long.total?.amount]).toEqual([1000, 100, 1000])
  expect([2, '3', 'muitos', -1, 1.5, null, 1e300].map(parseQuantity)).toEqual([2, 3, 1, 1, 1, 1, 1])
})

test('a charge tells its sum, its lines and every way to pay it; what names none is no charge', () => {
  const code = '00020126580014br.gov.bcb.pix'
  const pix = { merchant_name: 'Loja', key: '123', key_type: 'CNPJ', code }
  expect(
    buildChargeCard(
      {
        reference_id: 'r1',
        currency: 'BRL',
        total_amount: { value: 15990, offset: 100 },
        payment_settings: [{ type: 'pix_dynamic_code', pix_dynamic_code: pix }],
        order: { items: [{ name: 'Pão', quantity: 2, amount: { value: 500, offset: 100 } }] },
      },
      'Seu pedido',
    ),
  ).toEqual({
    kind: 'payment',
    state: 'asked',
    text: 'Seu pedido',
    total: { amount: 159.9, currency: 'BRL' },
    lines: [{ name: 'Pão', quantity: 2, price: { amount: 5, currency: 'BRL' } }],
    pix: { holder: 'Loja', type: 'CNPJ', key: '123' },
    code,
    reference: 'r1',
  })
  expect(buildChargeCard({ payment_settings: [{ boleto: { digitable_line: '3419' } }] })?.code).toBe('3419')
  for (const payment_status of ['constructor', '__proto__', 'toString', 'nova', {}])
    expect(buildChargeCard({ payment_status, payment_settings: [{ boleto: { digitable_line: '3419' } }] })?.state).toBe(
      'asked',
    )
  for (const none of [null, [], {}, { payment_settings: 'x' }, { total_amount: { value: 'muito' } }])
    expect(buildChargeCard(none)).toBeNull()
})
