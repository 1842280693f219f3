// What customers send often, ready made: the same on both networks.

export const CART = {
  text: 'Entregam amanhã cedo?',
  lines: [
    { name: 'Café torrado 500 g', quantity: 2, price: 59.95 },
    { name: 'Filtro de papel', quantity: 1, price: 40 },
  ],
}

export const ADVERTISEMENT = {
  text: 'Oi! Vi o anúncio das cestas.',
  title: 'Cestas de Natal',
  about: 'Monte a sua até 15 de dezembro',
  link: 'https://www.instagram.com/p/cestas',
}
