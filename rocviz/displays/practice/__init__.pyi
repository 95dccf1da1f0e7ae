from .referral import ReferralDisplay as ReferralDisplay
from .sites import SitesDisplay as SitesDisplay
