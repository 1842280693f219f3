// A flow to try: what the distributor of the demo would have asked before somebody answers.
import { ask, askChoices, createParagraph, type Flow, sayText } from './blocks.ts'

export const DEMO_FLOWS: Readonly<Record<string, Flow>> = {
  *'boas-vindas'({ name = '' }) {
    yield sayText(createParagraph('Olá', name && `, `, { text: name, bold: true }, '! Sou o assistente da São José.'))
    yield sayText('Sobre o que vamos falar?')
    const about = yield askChoices('Fazer um pedido', 'Segunda via de boleto', 'Falar com alguém')
    if (about === 'Falar com alguém') {
      yield sayText('Um momento, já chamo alguém.\n#humano')
      return
    }
    yield sayText('Qual é o CNPJ da sua loja?')
    const store = yield ask('text input')
    yield sayText(`Obrigado! Anotei ${store ?? ''}.`)
    yield sayText(about === 'Fazer um pedido' ? '#fila Vendas' : '#fila Financeiro')
  },
}
