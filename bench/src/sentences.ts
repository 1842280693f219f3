// What people write, made by a fixed rule: words as unevenly common as in real messages, from one in every second message down
// to one in ten thousand. A search meets long lists and short ones.

const REAL =
  'que não para com uma mais como mas foi ele das tem seu sua quando muito nos já também só pelo pela até isso ela entre depois sem mesmo aos ter seus quem nas esse eles você essa bom dia obrigado pedido entrega boleto valor prazo nota fiscal pagamento cliente endereço produto estoque frete caixa unidade amanhã hoje ontem semana mês confirmação orçamento desconto cartão pix conta banco comprovante transportadora caminhão motorista horário manhã tarde troca devolução garantia defeito instalação assistência técnico visita contrato proposta reunião retorno ligação mensagem áudio foto documento cadastro senha acesso sistema erro urgente atraso cancelamento reembolso segunda terça quarta quinta sexta sábado domingo'.split(
    ' ',
  )
const SYLLABLES =
  'ba ca da fa ga la ma na pa ra sa ta va be ce de le me ne re se te bi ci di li mi ni ri ti bo co do lo mo no ro to bu cu du lu'.split(
    ' ',
  )
const WORDS = 3000
export const SENTENCES = 20_000

/** The n-th word by how common it is, from 0. */
export function makeWord(n: number): string {
  const real = REAL[n]
  if (real !== undefined) return real
  const at = n * 7919
  const syllable = (by: number) => SYLLABLES[Math.floor(at / by) % SYLLABLES.length] ?? ''
  return syllable(1) + syllable(SYLLABLES.length) + syllable(SYLLABLES.length ** 2)
}

/** Sentences of four to twelve words, the same in every run. */
export function makeSentences(): string[] {
  let state = 20_261_121
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  return Array.from({ length: SENTENCES }, () =>
    Array.from({ length: 4 + Math.floor(random() * 9) }, () => makeWord(Math.floor(WORDS * random() ** 3))).join(' '),
  )
}
