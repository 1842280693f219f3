// A flow to try: what the distributor of the demo would have asked before somebody answers.
import { ask, choices, type Flow, p, say } from './blocks.ts'

export const DEMO_FLOWS: Readonly<Record<string, Flow>> = {
  *'boas-vindas'({ name = '' }) {
    yield say(p('Olá', name && `, `, { text: name, bold: true }, '! Sou o assistente da São José.'))
    yield say('Sobre o que vamos falar?')
    const about = yield choices('Fazer um pedido', 'Segunda via de boleto', 'Falar com alguém')
    if (about === 'Falar com alguém') {
      yield say('Um momento, já chamo alguém.\n#humano')
      return
    }
    yield say('Qual é o CNPJ da sua loja?')
    const store = yield ask('text input')
    yield say(`Obrigado! Anotei ${store ?? ''}.`)
    yield say(about === 'Fazer um pedido' ? '#fila Vendas' : '#fila Financeiro')
  },
}
