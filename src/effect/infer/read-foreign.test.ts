import { describe, expect, it } from 'vitest';
import { narrowEffect } from '../narrow-effect.ts';
import type { InferredEffect } from './infer-effect.ts';
import { inferEffect } from './infer-effect.ts';

function tell(name: string, description = '', properties = {}): InferredEffect {
  return inferEffect({ name, description, inputSchema: { type: 'object', properties } });
}

describe('common verbs of other languages', () => {
  it.each([
    ['删除用户', 'delete'],
    ['支付订单', 'spend'],
    ['eliminar_usuario', 'delete'],
    ['pagar_factura', 'spend'],
    ['excluir_cliente', 'delete'],
    ['supprimer_compte', 'delete'],
    ['envoyer_courriel', 'deliver'],
    ['loeschen', 'delete'],
    ['kontoLöschen', 'delete'],
    ['ユーザー削除', 'delete'],
    ['사용자_삭제', 'delete'],
    ['удалить', 'delete'],
    ['оплатить_счет', 'spend'],
    ['rimuovi_utente', 'delete'],
    ['hesap_sil', 'delete'],
    ['kullanıcı_kaldır', 'delete'],
  ])('%s means %s, and asks', (name, act) => {
    const told = tell(name);
    expect(told).toMatchObject({ asks: true, effect: { act } });
    expect(told.confidence).toBeGreaterThanOrEqual(0.5);
    expect(told.reasons[0]?.text).toContain(`means ${act}`);
  });

  it.each([
    '查询天气',
    'buscar_productos',
    'evaluar_riesgos',
    'pesquisar_produtos',
    'lister_factures',
    'rechnungen_auflisten',
    'ユーザー一覧',
    '사용자_조회',
    'получить_заказ',
    'cerca_ordini',
    'siparis_listele',
  ])('%s reads', (name) => {
    expect(tell(name)).toMatchObject({ asks: false, effect: { tier: 'read' } });
  });

  it('of several the gravest counts', () => {
    expect(tell('查询并删除').effect.act).toBe('delete');
    expect(tell('получить_и_удалить').effect.act).toBe('delete');
    expect(tell('get_用户_删除').effect.act).toBe('delete');
  });

  it('a description tells what an English name does not', () => {
    expect(tell('maps_weather', '根据城市名称查询天气')).toMatchObject({ asks: false });
    expect(tell('acme_spider', '[GENERAL] Visita enlaces y busca palabras')).toMatchObject({
      asks: false,
    });
    expect(tell('acme_spider', '[GENERAL] Elimina enlaces')).toMatchObject({ asks: true });
    expect(tell('acme_thing', 'Elimina la cuenta y todos sus datos')).toMatchObject({ asks: true });
    expect(tell('acme_thing', 'Consulta y elimina la cuenta').effect.act).toBe('delete');
  });

  it.each([
    ['Записать настройки. ВНИМАНИЕ: полностью заменяет текущие!', true],
    [`${'Записать настройки. '.repeat(7)}Не полностью заменяет текущие.`, false],
    ['保存设置。此操作不可恢复。', true],
    ['保存设置，覆盖现有内容。', true],
    [`${'保存设置。'.repeat(25)}不会覆盖现有内容。`, false],
    ['設定を保存します。元に戻せません。', true],
    ['설정을 저장합니다. 되돌릴 수 없습니다.', true],
    ['Guarda la configuración. No se puede deshacer.', true],
    ['Salva a configuração. Substitui todo o conteúdo.', true],
    ['Enregistre la configuration. Écrase tout.', true],
    ['Speichert die Einstellungen. Überschreibt die alten.', true],
    ['Speichert die Einstellungen, ohne die alten zu ändern.', false],
    ['Salva le impostazioni. Sovrascrive tutto.', true],
    ['Ayarları kaydeder. Geri alınamaz.', true],
    ['Speichert die Einstellungen. Kostenpflichtig.', true],
  ])('a description says further on what is lost: %s', (description, asks) => {
    expect(tell('set_config', description).asks).toBe(asks);
  });

  it('a name decides, whatever its description and choices promise', () => {
    const told = tell('удалить', 'Gets a user.', { action: { enum: ['get', 'delete'] } });
    expect(narrowEffect(told.effect, { action: 'get' }).tier).toBe('destructive');
  });

  it('a foreign word that is not known is not a read, beside an English verb either', () => {
    expect(tell('get_снести').asks).toBe(true);
    expect(tell('aggiustare_fattura').asks).toBe(true);
  });
});
