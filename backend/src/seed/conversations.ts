// What the customers of the demo's company wrote, in minutes before now.
import type { MediaType, MessageState, TicketStatus } from '@balcao/contract'

export interface SeedLine {
  /** Minutes before now. */
  readonly ago: number
  readonly from: 'customer' | 'marina' | 'rafael' | 'bruna' | 'desk' | 'comment'
  /** In a group: the number of the member who wrote it, whose own conversation stands above. */
  readonly member?: string
  readonly body: string
  readonly type?: MediaType
  readonly state?: MessageState
  readonly error?: { readonly code: number; readonly message: string }
  /** A file that is made for it. */
  readonly file?: { readonly name: string; readonly color?: readonly [number, number, number] }
}

export interface SeedTicket {
  readonly name: string
  readonly number: string
  readonly tags: readonly string[]
  readonly queue: 'Comercial' | 'Financeiro' | 'Suporte' | 'Entregas' | null
  readonly connection: 'Loja Centro' | 'Oficial São José'
  readonly status: TicketStatus
  readonly user: 'marina' | 'rafael' | 'bruna' | null
  readonly unread?: number
  readonly pauseTag?: string
  readonly group?: string
  /** What the team knows of the contact. */
  readonly email?: string
  readonly extra?: readonly { readonly name: string; readonly value: string }[]
  /** What its protocol was about; a closed ticket with one cannot be deleted. */
  readonly protocol?: string
  readonly lines: readonly SeedLine[]
}

const DAY = 24 * 60

export const CONVERSATIONS: readonly SeedTicket[] = [
  {
    name: 'Dona Lúcia Ferreira',
    number: '5531998762210',
    tags: ['2ª via', 'Recorrente'],
    queue: 'Financeiro',
    connection: 'Loja Centro',
    status: 'open',
    user: 'marina',
    email: 'lucia.f@email.example',
    extra: [
      { name: 'Aniversário', value: '12/03' },
      { name: 'Endereço', value: 'Rua das Acácias, 81' },
      { name: 'Compra desde', value: '03/2019' },
    ],
    lines: [
      {
        ago: 3 * DAY,
        from: 'customer',
        type: 'image',
        body: 'O boleto de outubro, já pago',
        file: { name: 'boleto-pago.png', color: [214, 170, 96] },
      },
      {
        ago: 2 * DAY,
        from: 'marina',
        type: 'image',
        body: 'Nossa tabela na vitrine',
        state: 'read',
        file: { name: 'vitrine.png', color: [44, 83, 164] },
      },
      {
        ago: 2 * DAY - 5,
        from: 'marina',
        type: 'application',
        body: '',
        state: 'read',
        file: { name: 'contrato-lucia-ferreira.pdf' },
      },
      {
        ago: 2 * DAY - 6,
        from: 'marina',
        body: '*Marina:*\nAs condições estão em https://saojose.example/condicoes',
        state: 'read',
      },
      { ago: 32, from: 'customer', body: 'Bom dia! O boleto deste mês ainda vale?' },
      { ago: 31, from: 'customer', body: 'Moça, a luz veio alta e me apertei. Ele venceu ontem, dá pra tirar o juro?' },
      { ago: 27, from: 'comment', body: '@Rafael, posso tirar os juros? É cliente desde 2019.' },
      {
        ago: 21,
        from: 'marina',
        body: '*Marina:*\nTirei os juros, Dona Lúcia. O novo vence na segunda!',
        state: 'read',
      },
      { ago: 20, from: 'customer', body: 'Pode ser até sexta, minha filha?' },
    ],
  },
  {
    name: 'Padaria Estrela',
    number: '5531984507712',
    tags: ['Recorrente', 'VIP'],
    queue: null,
    connection: 'Loja Centro',
    status: 'pending',
    user: null,
    unread: 3,
    lines: [
      { ago: 12, from: 'customer', body: 'Bom dia, pessoal da São José!' },
      { ago: 11, from: 'customer', body: 'Acabou a farinha aqui e o movimento tá grande por causa do feriado' },
      {
        ago: 11,
        from: 'desk',
        body: 'Oi, Padaria Estrela! Recebemos sua mensagem e já vamos te atender. Nosso horário é das 8h às 18h.',
        state: 'read',
      },
      { ago: 8, from: 'customer', body: 'Quero *20 sacos* da farinha especial e 5 de fermento' },
      { ago: 6, from: 'customer', body: 'Precisava pra amanhã cedinho, consegue?' },
    ],
  },
  {
    name: 'João Almeida',
    number: '5531987120034',
    tags: [],
    queue: 'Entregas',
    connection: 'Loja Centro',
    status: 'open',
    user: 'marina',
    lines: [
      { ago: 50, from: 'customer', body: 'Meu pedido 3377 sai hoje?' },
      { ago: 29, from: 'marina', body: 'O caminhão sai às 10h, chega até 11h30', state: 'read' },
    ],
  },
  {
    name: 'Mercadinho Ribeiro',
    number: '5531991002233',
    tags: ['Recorrente'],
    queue: 'Comercial',
    connection: 'Loja Centro',
    status: 'open',
    user: 'marina',
    lines: [
      { ago: 80, from: 'customer', body: 'Vocês têm a tabela nova da farinha?' },
      {
        ago: 45,
        from: 'marina',
        body: 'Segue a tabela nova de farinha: especial 25 kg R$ 98,00; comum 25 kg R$ 81,50.',
        state: 'delivered',
      },
    ],
  },
  {
    name: 'Beatriz Camargo',
    number: '5531993344556',
    tags: ['Cliente novo'],
    queue: 'Suporte',
    connection: 'Loja Centro',
    status: 'open',
    user: 'marina',
    unread: 1,
    email: 'beatriz.camargo@email.example',
    extra: [{ name: 'Aniversário', value: '30/08' }],
    lines: [
      { ago: 70, from: 'marina', body: 'Oi, Beatriz! O pedido chegou direitinho?', state: 'read' },
      {
        ago: 61,
        from: 'customer',
        type: 'image',
        body: 'Olha como veio',
        file: { name: 'saco-rasgado.png', color: [190, 178, 160] },
      },
      { ago: 60, from: 'customer', body: 'Chegou, mas um saco veio rasgado' },
    ],
  },
  {
    name: 'Restaurante Varandão',
    number: '5531988214407',
    tags: [],
    queue: 'Comercial',
    connection: 'Oficial São José',
    status: 'open',
    user: 'marina',
    lines: [
      { ago: 2 * DAY, from: 'customer', body: 'Separem meu pedido por favor' },
      {
        ago: 66,
        from: 'marina',
        body: 'Seu pedido 3391 já foi separado.',
        state: 'failed',
        error: {
          code: 131047,
          message: 'More than 24 hours have passed since the customer last replied to this number.',
        },
      },
    ],
  },
  {
    name: 'Pizzaria Nonna',
    number: '5531986655443',
    tags: [],
    queue: 'Comercial',
    connection: 'Loja Centro',
    status: 'open',
    user: 'rafael',
    lines: [
      { ago: 100, from: 'customer', body: 'Bom dia, meu pedido já está pronto?' },
      { ago: 95, from: 'rafael', body: 'Bom dia! Seu pedido 3391 foi separado e sai ainda hoje.', state: 'sent' },
    ],
  },
  {
    name: 'Tânia Vasconcelos',
    number: '5531992211887',
    tags: [],
    queue: 'Suporte',
    connection: 'Loja Centro',
    status: 'pending',
    user: null,
    unread: 1,
    lines: [{ ago: 4, from: 'customer', body: 'A nota veio com o CNPJ errado' }],
  },
  {
    name: 'Lanchonete do Neco',
    number: '5531991118765',
    tags: ['Recorrente'],
    queue: 'Entregas',
    connection: 'Loja Centro',
    status: 'pending',
    user: null,
    unread: 2,
    lines: [
      { ago: 4, from: 'customer', body: 'Mudei de endereço, entrega aqui agora' },
      {
        ago: 3,
        from: 'customer',
        type: 'location',
        body: '|https://maps.google.com/maps?q=-19.9245,-43.9352|Lanchonete do Neco, Rua dos Caetés, 412',
      },
    ],
  },
  {
    name: 'Seu Sebastião',
    number: '5531990087654',
    tags: ['2ª via'],
    queue: 'Financeiro',
    connection: 'Loja Centro',
    status: 'pending',
    user: null,
    unread: 1,
    lines: [{ ago: 1, from: 'customer', body: 'Paguei agora, manda o recibo por favor' }],
  },
  {
    name: 'Entregas zona norte',
    number: '',
    tags: [],
    queue: 'Entregas',
    connection: 'Loja Centro',
    status: 'open',
    user: 'marina',
    group: '120363041122334455@g.us',
    lines: [
      { ago: 130, from: 'customer', member: '5531984507712', body: 'A que horas o caminhão passa aqui na padaria?' },
      { ago: 124, from: 'customer', member: '5531998762210', body: 'E aqui em casa, gente?' },
      {
        ago: 118,
        from: 'marina',
        body: 'Começa pelo Neco às 13h, depois a padaria e a Dona Lúcia.',
        state: 'delivered',
      },
    ],
  },
  {
    name: 'Confeitaria Rosa',
    number: '5531995550011',
    tags: ['VIP'],
    queue: 'Financeiro',
    connection: 'Loja Centro',
    status: 'closed',
    user: 'marina',
    protocol: 'Comprovante recebido',
    lines: [
      { ago: DAY + 40, from: 'customer', body: 'O comprovante chegou aí?' },
      { ago: DAY + 20, from: 'marina', body: 'Recebido, obrigada pela paciência!', state: 'read' },
    ],
  },
  {
    name: 'Hotel Mirante',
    number: '5531994447788',
    tags: [],
    queue: 'Comercial',
    connection: 'Loja Centro',
    status: 'closed',
    user: 'rafael',
    lines: [
      { ago: DAY + 300, from: 'customer', body: 'Fechamos 40 sacos?' },
      { ago: DAY + 280, from: 'rafael', body: 'Fechado para terça, 8h', state: 'read' },
    ],
  },
  {
    name: 'Dona Lúcia Ferreira',
    number: '5531998762210',
    tags: [],
    queue: 'Financeiro',
    connection: 'Loja Centro',
    status: 'closed',
    user: 'rafael',
    lines: [
      { ago: 44 * DAY, from: 'customer', body: 'Meu filho, me manda o boleto de outubro?' },
      { ago: 44 * DAY - 9, from: 'rafael', body: 'Claro, Dona Lúcia, vence dia 10.', state: 'read' },
    ],
  },
  {
    name: 'Açougue Dois Irmãos',
    number: '5531993338899',
    tags: [],
    queue: 'Comercial',
    connection: 'Loja Centro',
    status: 'paused',
    user: 'marina',
    pauseTag: 'Aguarda estoque',
    lines: [
      { ago: 200, from: 'customer', body: 'Quando chega o sal grosso?' },
      { ago: 190, from: 'marina', body: 'Na quinta. Aviso assim que chegar!', state: 'read' },
    ],
  },
  {
    name: 'Sorveteria Polo Norte',
    number: '5531992227733',
    tags: ['VIP'],
    queue: 'Financeiro',
    connection: 'Loja Centro',
    status: 'paused',
    user: 'rafael',
    pauseTag: 'Aguarda pagamento',
    lines: [
      { ago: 320, from: 'customer', body: 'O boleto cai amanhã na conta de vocês' },
      { ago: 310, from: 'rafael', body: 'Combinado, libero o pedido assim que cair.', state: 'read' },
    ],
  },
]
