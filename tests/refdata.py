"""What the tests of the reference data share: its files, their columns and keys."""

from __future__ import annotations

import csv
import re
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "reference_data"
GUIDE_AS_OF = "guide (undated)"
VERIFY = "estimated, please verify"

PROVENANCE = "source,as_of,confidence,note"
MONTHS = [f"m{i}" for i in range(1, 13)]
COLUMNS = {
    "models": "model,params_total_b,params_active_b,architecture,layers,kv_heads,head_dim,kv_bytes_per_token_fp16,"
    "kv_bytes_per_token_fp8,weights_gb_fp16,weights_gb_fp8,weights_gb_int4,max_context_tokens," + PROVENANCE,
    "api_models": "model,provider,input_usd_per_mtok,cached_input_usd_per_mtok,output_usd_per_mtok,"
    "batch_input_usd_per_mtok,batch_output_usd_per_mtok,context_window_tokens,long_context_limit_tokens,"
    "long_input_usd_per_mtok,long_cached_input_usd_per_mtok,long_output_usd_per_mtok,ttft_s,tpot_s,withdrawal_date,"
    "verify," + PROVENANCE,
    "gpus": "gpu,vendor,memory_gb,tdp_w,typical_server_gpus,usd_per_gpu_hour,price_source,price_as_of,"
    "price_confidence,price_note," + PROVENANCE,
    "gpu_names": "product,gpu," + PROVENANCE,
    "gpu_prices": "price_id,gpu,provider,region,pricing_type,instance_type,gpus_per_instance,usd_per_gpu_hour,"
    + PROVENANCE,
    "throughput": "key,model,gpu,precision,tokens_per_s_per_gpu,throughput_basis,low_tokens_per_s_per_gpu,"
    "high_tokens_per_s_per_gpu,verify," + PROVENANCE,
    "constants": "key,value,value_zh,unit,label,why,source",
    "defaults": "key,value,unit,source,confidence,note",
    "sla_tiers": "sla_tier,label,min_replicas,spare_replicas,availability,ttft_ms,tpot_ms,e2e_s,output_tokens,"
    "error_rate,auto_retries,throughput," + PROVENANCE,
    "curves": "curve,label,kind,clock," + ",".join(MONTHS) + ",midpoint,steepness," + PROVENANCE,
    "phases": "phase,month_start,month_end,guide_share,resource,milestone," + PROVENANCE,
    "levers": "lever,label,on,eligible_share,saving_low,saving_expected,saving_high,acts_on_input,acts_on_output,"
    "acts_on_gpu,trade_off," + PROVENANCE + ",same_as",
    "service_tiers": "service_tier,label,action,floor_share,deadline_months,sla_tier,headroom_share,failover_needed,"
    + PROVENANCE,
    "ranges": "range,label,acts_on,effect,low,expected,high," + PROVENANCE,
    "scenarios": "scenario,label,users_factor,adoption_factor,calls_factor,tokens_factor,peak_factor,throughput_factor,"
    "price_factor,include_proposed,supply_factor,lost_pool,lost_region,headroom_add,migrate_from,migrate_to,"
    + PROVENANCE,
    "thresholds": "metric,label,unit,direction,watch,risk,critical,owner," + PROVENANCE,
    "actions": "action,label,condition,on,limit,absorbs_share,owner," + PROVENANCE,
    "buffers": "buffer,label,factor,headroom_share,is_default," + PROVENANCE,
    "margins": "channel,label,multiple_low,multiple_high,formula_multiple_low,formula_multiple_high," + PROVENANCE,
    "tenants_guide": "tenant,priority,quota_share,burst_multiple,fallback," + PROVENANCE,
}
ROWS = {
    "models": 37,
    "api_models": 94,
    "gpus": 25,
    "gpu_names": 22,
    "gpu_prices": 82,
    "throughput": 133,
    "constants": 27,
    "defaults": 79,
    "service_tiers": 4,
    "scenarios": 3,
    "ranges": 8,
    "sla_tiers": 3,
    "curves": 7,
    "phases": 4,
    "levers": 5,
    "thresholds": 13,
    "actions": 7,
    "buffers": 3,
    "margins": 3,
    "tenants_guide": 3,
}
FILES = sorted(COLUMNS)
# Columns that hold text; every other column holds a number or nothing.
TEXT_COLUMNS = """
model architecture provider withdrawal_date verify gpu vendor price_source price_as_of price_confidence price_note
price_id region pricing_type instance_type key precision throughput_basis unit label why sla_tier throughput curve
kind clock phase resource milestone lever on acts_on_input acts_on_output acts_on_gpu trade_off metric owner buffer
is_default service_tier action condition failover_needed scenario include_proposed lost_pool lost_region migrate_from migrate_to
range acts_on effect channel tenant priority fallback product source as_of confidence note
"""
TEXT = set(TEXT_COLUMNS.split())
THROUGHPUT_WITHOUT_MODEL = {"DeepSeek R1 0528"}


def table(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def by_key(name: str) -> dict[str, dict[str, str]]:
    rows = table(name)
    return {next(iter(row.values())): row for row in rows}


def spoken(name: str) -> str:
    """A name without case and without the difference between space, hyphen and underscore."""
    return re.sub(r"[\s\-_]+", " ", name).casefold()
