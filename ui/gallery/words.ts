/** The words of an invented screen. */
export const WORDS = {
  title: 'Contatos',
  intro: 'Quem escreve para a empresa entra aqui sozinho.',
  add: 'Adicionar contato',
  search: 'Nome, número ou e-mail',
  table: 'Lista de contatos',
  count_one: '{{count}} contato',
  count_other: '{{count}} contatos',
  column: { name: 'Nome', number: 'Número', tags: 'Tags', messages: 'Mensagens' },
  action: { edit: 'Editar {{name}}', remove: 'Apagar {{name}}' },
  bulk: { tag: 'Tags', remove: 'Apagar' },
  empty: { title: 'Nenhum contato ainda', text: 'Quem escrever para a empresa entra aqui sozinho.' },
  failed: { title: 'Os contatos não carregaram' },
  form: { name: 'Nome', nameHint: 'Como a equipe chama o cliente.', number: 'Número', color: 'Cor', file: 'Arquivo' },
}
