// Why a flow is not at work in a ticket any more, or did not do something: codes for our screens (`system.*`), words for everybody else.
import type { CallFault } from './client.ts'
import type { Stop } from './plan.ts'

/** `what` stands for what the flow named. */
export const WHY = {
  flowAsked: 'O robô passou a conversa para a equipe',
  flowEnded: 'O robô terminou; a conversa espera pela equipe',
  flowQueue: 'O robô passou a conversa para a fila {{what}}',
  flowPerson: 'O robô passou a conversa para {{what}}',
  flowNoQueue: 'O robô pediu a fila “{{what}}”, que não existe',
  flowNoPerson: 'O robô pediu “{{what}}”, que não pode atender nesta fila',
  flowNoTag: 'O robô pediu a tag “{{what}}”, que não existe',
  flowUnknown: 'O robô disse “{{what}}”, que o Balcão não conhece',
  flowFile: 'O robô quis enviar um arquivo de um endereço que não é permitido',
  flowUnset: 'Esta conexão não tem mais um Typebot; a conversa espera pela equipe',
  flowUnreachable: 'O Typebot não foi alcançado; a conversa espera pela equipe',
  flowPrivate: 'O endereço do Typebot não é público; a conversa espera pela equipe',
  flowInsecure: 'O Typebot não tem um certificado válido; a conversa espera pela equipe',
  flowLost: 'A ligação com o Typebot caiu no meio; a conversa espera pela equipe',
  flowSlow: 'O Typebot não respondeu a tempo; a conversa espera pela equipe',
  flowTooMuch: 'O Typebot respondeu mais do que cabe numa conversa; ela espera pela equipe',
  flowForgotten: 'O Typebot não conhece mais este fluxo; a conversa espera pela equipe',
  flowClosed: 'O fluxo está fechado no Typebot; a conversa espera pela equipe',
  flowRefused: 'O Typebot recusou o pedido; a conversa espera pela equipe',
  flowBroken: 'O fluxo falhou no Typebot; a conversa espera pela equipe',
  flowStrange: 'No endereço do Typebot responde outra coisa; a conversa espera pela equipe',
  flowInput: 'O fluxo pediu algo que não se pode fazer no WhatsApp ({{what}}); a conversa espera pela equipe',
  flowAction: 'O fluxo quis executar algo que só funciona numa página ({{what}}); a conversa espera pela equipe',
  flowLoop: 'O fluxo dá voltas sem fim; a conversa espera pela equipe',
  flowFlood: 'Chegaram mensagens demais de uma vez; a conversa espera pela equipe',
  flowInterrupted: 'O robô foi interrompido no meio de uma resposta; a conversa espera pela equipe',
  flowSilent: 'O que o robô disse não pôde ser enviado; a conversa espera pela equipe',
} as const

export type Why = keyof typeof WHY

export const WHY_FAULT: Readonly<Record<CallFault, Why>> = {
  unsent: 'flowUnreachable',
  private: 'flowPrivate',
  insecure: 'flowInsecure',
  lost: 'flowLost',
  slow: 'flowSlow',
  tooLarge: 'flowTooMuch',
  forgotten: 'flowForgotten',
  closed: 'flowClosed',
  refused: 'flowRefused',
  broken: 'flowBroken',
  strange: 'flowStrange',
}

export const WHY_STOP: Readonly<Record<Stop, Why>> = {
  input: 'flowInput',
  action: 'flowAction',
  event: 'flowAction',
  tooMuch: 'flowTooMuch',
}
