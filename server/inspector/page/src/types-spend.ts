// What clients used and spent; spend.go describes it.

export interface SpendRow {
  day: string;
  client: string;
  model: string;
  currency: string;
  unpriced: string;
  requests: number;
  failures: number;
  tokens: number;
  unpricedTokens: number;
  cost: number;
}

export interface Spend {
  shown: boolean;
  today: string;
  rows: SpendRow[];
  killed: number;
  upTo: number;
}
